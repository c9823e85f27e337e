import { Icon } from "../chat/Icon";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";

export type Panel = "chat" | "group" | "fairies" | "tasks" | "comments" | "search" | "code";
export type Window = "share" | "settings";

interface TopToolsProps {
  panel: Panel;
  /** How many fairies are at work. */
  busy: number;
  /** How many tasks are not done. */
  tasks: number;
  /** How many conversations are open on the page. */
  comments: number;
  /** The code project: how many runs of it wait to be kept or undone; null where there is none. */
  code: number | null;
  owner: boolean;
  /** Whether this person may stop them. */
  mayStop: boolean;
  onStopAll(): void;
  onPanel(panel: Panel): void;
  onWindow(window: Window): void;
}

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
    <Tip says={label}>
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
export function TopTools({ panel, busy, tasks, comments, code, owner, mayStop, onStopAll, onPanel, onWindow }: TopToolsProps) {
  const way = (to: Panel) => ({ pressed: panel === to, onPress: () => onPanel(panel === to ? "chat" : to) });
  return (
    <div className="top-tools">
      {busy > 0 && mayStop && (
        <Tip says={strings.supervise.stopEveryone}>
          <button type="button" className="top-button stop" aria-label={strings.supervise.stopEveryone} onClick={onStopAll}>
            <span className="stop-mark" aria-hidden="true" />
            <span>{strings.chat.stop}</span>
          </button>
        </Tip>
      )}
      <Tool icon="search" label={strings.search.title} {...way("search")} />
      <Tool icon="fairies" label={strings.supervise.title} count={busy} {...way("fairies")} />
      <Tool icon="tasks" label={strings.tasks.title} count={tasks} {...way("tasks")} />
      <Tool icon="comment" label={strings.comments.title} count={comments} {...way("comments")} />
      {code !== null && <Tool icon="code" label={strings.code.title} count={code} {...way("code")} />}
      {owner && <Tool icon="gear" label={strings.ownerSettings.title} onPress={() => onWindow("settings")} />}
      <Tool icon="share" label={strings.share.open} strong onPress={() => onWindow("share")} />
    </div>
  );
}
