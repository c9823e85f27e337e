import { useState } from "react";
import type { Fairy, Task } from "../api/types";
import { strings } from "../strings";
import type { Rect } from "../sync";
import { TaskCard, type TaskActions } from "../tasks/TaskCard";
import { SidePanel } from "./SidePanel";

interface TasksPanelProps extends TaskActions {
  tasks: readonly Task[];
  fairies: readonly Fairy[];
  readOnly: boolean;
  /** What the person sees now. */
  view(): Rect | null;
  /** Whether they are shown on the page. */
  shown: boolean;
  onToggle(): void;
  onMake(title: string): void;
  onClose(): void;
}

/** The page's tasks: made here, given to fairies, started, watched. */
export function TasksPanel({ tasks, fairies, readOnly, view, shown, onToggle, onMake, onClose, ...act }: TasksPanelProps) {
  const [title, setTitle] = useState("");
  return (
    <SidePanel
      title={strings.tasks.title}
      testId="tasks-panel"
      onClose={onClose}
      tools={
        <button type="button" className="button small" aria-pressed={shown} onClick={onToggle}>
          {shown ? strings.tasks.hide : strings.tasks.show}
        </button>
      }
    >
      {!readOnly && (
        <form
          className="task-new"
          onSubmit={(event) => {
            event.preventDefault();
            if (!title.trim()) return;
            onMake(title.trim());
            setTitle("");
          }}
        >
          <input
            className="input"
            aria-label={strings.tasks.add}
            placeholder={strings.tasks.add}
            value={title}
            maxLength={200}
            onChange={(event) => setTitle(event.target.value)}
          />
          <button type="submit" className="button primary" disabled={!title.trim()}>
            {strings.tasks.make}
          </button>
        </form>
      )}
      {tasks.length === 0 && <p className="side-empty">{readOnly ? strings.tasks.noneToSee : strings.tasks.none}</p>}
      <ul className="task-list">
        {tasks.map((task) => (
          <TaskCard
            key={`${task.id} ${task.title} ${task.text}`}
            task={task}
            fairies={fairies}
            readOnly={readOnly}
            view={view()}
            {...act}
          />
        ))}
      </ul>
    </SidePanel>
  );
}
