import { Tabs } from "radix-ui";
import { strings } from "../strings";
import { Dialog } from "../ui/Dialog";
import { ModelSettings } from "./ModelSettings";
import { PluginSettings } from "./PluginSettings";

interface SettingsDialogProps {
  workspace: string;
  /** The names of the plugins that are switched off. */
  pluginsOff: readonly string[];
  onClose(): void;
}

/** What the owner sets for everybody. */
export default function SettingsDialog({ workspace, pluginsOff, onClose }: SettingsDialogProps) {
  return (
    <Dialog title={strings.ownerSettings.title} onClose={onClose}>
      <Tabs.Root defaultValue="models">
        <Tabs.List className="tabs" aria-label={strings.ownerSettings.title}>
          <Tabs.Trigger value="models">{strings.models.title}</Tabs.Trigger>
          <Tabs.Trigger value="plugins">{strings.plugins.title}</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="models">
          <ModelSettings />
        </Tabs.Content>
        <Tabs.Content value="plugins">
          <PluginSettings workspace={workspace} off={pluginsOff} />
        </Tabs.Content>
      </Tabs.Root>
    </Dialog>
  );
}
