import { Icon } from "../chat/Icon";
import { strings } from "../strings";

export type Panel = "chat" | "group" | "fairies" | "tasks" | "comments";
export type Window = "share" | "models";

interface TopToolsProps {
  panel: Panel;
  /** How many fairies are at work. */
  busy: number;
  /** How many tasks are not done. */
  tasks: number;
  /** How many conversations are open on the page. */
  comments: number;
  owner: boolean;
  onPanel(panel: Panel): void;
  onWindow(window: Window): void;
}

/** The ways to what is not the canvas and not the chat. */
export function TopTools({ panel, busy, tasks, comments, owner, onPanel, onWindow }: TopToolsProps) {
  return (
    <div className="top-tools">
      <button
        type="button"
        className="top-button"
        aria-pressed={panel === "fairies"}
        title={strings.supervise.title}
        onClick={() => onPanel(panel === "fairies" ? "chat" : "fairies")}
      >
        <Icon name="fairies" />
        <span>{strings.supervise.title}</span>
        {busy > 0 && <span className="top-badge">{busy}</span>}
      </button>
      <button
        type="button"
        className="top-button"
        aria-pressed={panel === "tasks"}
        title={strings.tasks.title}
        onClick={() => onPanel(panel === "tasks" ? "chat" : "tasks")}
      >
        <Icon name="tasks" />
        <span>{strings.tasks.title}</span>
        {tasks > 0 && <span className="top-badge">{tasks}</span>}
      </button>
      <button
        type="button"
        className="top-button"
        aria-pressed={panel === "comments"}
        title={strings.comments.title}
        onClick={() => onPanel(panel === "comments" ? "chat" : "comments")}
      >
        <Icon name="comment" />
        <span>{strings.comments.title}</span>
        {comments > 0 && <span className="top-badge">{comments}</span>}
      </button>
      {owner && (
        <button type="button" className="top-button" title={strings.models.open} onClick={() => onWindow("models")}>
          <Icon name="gear" />
          <span>{strings.models.open}</span>
        </button>
      )}
      <button type="button" className="top-button strong" title={strings.share.open} onClick={() => onWindow("share")}>
        <Icon name="share" />
        <span>{strings.share.open}</span>
      </button>
    </div>
  );
}
