import { useId, useState, type KeyboardEvent } from "react";
import { Dialog } from "../app/Dialog";
import { strings } from "../strings";
import { ModelSettings } from "./ModelSettings";
import { PluginSettings } from "./PluginSettings";

const PARTS = ["models", "plugins"] as const;
type Part = (typeof PARTS)[number];

interface SettingsDialogProps {
  workspace: string;
  /** The names of the plugins that are switched off. */
  pluginsOff: readonly string[];
  onClose(): void;
}

/** What the owner sets for everybody. */
export function SettingsDialog({ workspace, pluginsOff, onClose }: SettingsDialogProps) {
  const [part, setPart] = useState<Part>("models");
  const panel = useId();

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && PARTS.at((PARTS.indexOf(part) + step) % PARTS.length);
    if (!next) return;
    event.preventDefault();
    setPart(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-part="${next}"]`)?.focus();
  };

  return (
    <Dialog title={strings.ownerSettings.title} onClose={onClose}>
      <div className="tabs" role="tablist" aria-label={strings.ownerSettings.title} onKeyDown={onKeyDown}>
        {PARTS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            data-part={each}
            aria-selected={each === part}
            aria-controls={panel}
            tabIndex={each === part ? 0 : -1}
            onClick={() => setPart(each)}
          >
            {strings[each].title}
          </button>
        ))}
      </div>
      <div id={panel} role="tabpanel" aria-label={strings[part].title}>
        {part === "models" ? <ModelSettings /> : <PluginSettings workspace={workspace} off={pluginsOff} />}
      </div>
    </Dialog>
  );
}
