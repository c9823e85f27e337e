import { Icon } from "../chat/Icon";
import { pendingOn, runningRun } from "../api/workspace";
import { tasksOn, useRights } from "../state/select";
import type { Panel } from "../state/shell";
import { useParts, useStudio } from "../state/store";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { usePhone } from "./useMedia";

interface ToolProps {
  icon: Parameters<typeof Icon>[0]["name"];
  label: string;
  /** How many wait there. */
  count?: number;
  pressed?: boolean;
  strong?: boolean;
  onPress(): void;
}

/** Its words give way to its icon on a narrow screen; its name stays. */
function Tool({ icon, label, count = 0, pressed, strong, onPress }: ToolProps) {
  return (
    <Tip says={usePhone() ? label : undefined}>
      <button
        type="button"
        className={strong ? "top-button strong" : "top-button"}
        aria-label={count > 0 ? strings.tools.counted(label, count) : label}
        aria-pressed={pressed}
        onClick={onPress}
      >
        <Icon name={icon} />
        <span>{label}</span>
        {/* Its number is in the name already; as text it would not be part of the visible label. */}
        {count > 0 && <span className="top-badge" data-count={count} aria-hidden="true" />}
      </button>
    </Tip>
  );
}

/** The ways to what is not the canvas and not the chat. */
export function TopTools() {
  const { workspace, panel, showPanel, show, stop } = useParts("workspace", "panel", "showPanel", "show", "stop");
  const tasks = useStudio((state) => tasksOn(state).filter(({ status }) => status !== "done").length);
  const comments = useStudio(({ threads }) => threads.filter(({ resolved }) => !resolved).length);
  const rights = useRights();
  const busy = workspace.fairies.filter(({ id }) => runningRun(workspace, id));
  const way = (to: Panel) => ({ pressed: panel === to, onPress: () => showPanel(panel === to ? "chat" : to) });
  return (
    <div className="top-tools">
      {busy.length > 0 && rights.ask && (
        <Tip says={strings.supervise.stopEveryone}>
          <button
            type="button"
            className="top-button stop"
            aria-label={strings.supervise.stopEveryone}
            onClick={() => busy.forEach(({ id }) => stop(id))}
          >
            <span className="stop-mark" aria-hidden="true" />
            <span>{strings.chat.stop}</span>
          </button>
        </Tip>
      )}
      <Tool icon="search" label={strings.search.title} {...way("search")} />
      <Tool icon="fairies" label={strings.supervise.title} count={busy.length} {...way("fairies")} />
      <Tool icon="tasks" label={strings.tasks.title} count={tasks} {...way("tasks")} />
      <Tool icon="comment" label={strings.comments.title} count={comments} {...way("comments")} />
      {workspace.code && <Tool icon="code" label={strings.code.title} count={pendingOn(workspace, "code").length} {...way("code")} />}
      {rights.owner && <Tool icon="gear" label={strings.ownerSettings.title} onPress={() => show({ kind: "settings" })} />}
      <Tool icon="share" label={strings.share.open} strong onPress={() => show({ kind: "share" })} />
    </div>
  );
}
