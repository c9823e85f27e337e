import { useState } from "react";
import type { Fairy, Task, TaskChange, TaskStatus } from "../api/types";
import { strings } from "../strings";
import type { Rect } from "../sync";

/** What a dragged task is known by to whatever it is dropped on. */
export const DRAGGED_TASK = "application/x-glade-task";

export interface TaskActions {
  onChange(task: Task, change: TaskChange): void;
  onStart(task: Task): void;
  onDelete(task: Task): void;
  onShow(task: Task): void;
}

interface TaskCardProps extends TaskActions {
  task: Task;
  fairies: readonly Fairy[];
  readOnly: boolean;
  view: Rect | null;
}

const STATUSES: TaskStatus[] = ["todo", "in-progress", "done"];

/** One task of the panel: what, who, how far; to be dragged onto a fairy. */
export function TaskCard({ task, fairies, readOnly, view, onChange, onStart, onDelete, onShow }: TaskCardProps) {
  const words = strings.tasks;
  const [title, setTitle] = useState(task.title);
  const [text, setText] = useState(task.text);
  const rename = () => {
    const wanted = title.trim();
    if (wanted && wanted !== task.title) onChange(task, { title: wanted });
  };
  return (
    <li
      className="task"
      data-testid="task-card"
      data-status={task.status}
      draggable={!readOnly}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED_TASK, task.id);
        event.dataTransfer.effectAllowed = "link";
      }}
    >
      <input
        className="task-title"
        aria-label={words.name}
        value={title}
        readOnly={readOnly}
        maxLength={200}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={rename}
        onKeyDown={(event) => event.key === "Enter" && rename()}
      />
      <textarea
        className="task-text"
        rows={1}
        aria-label={words.text}
        placeholder={readOnly ? "" : words.text}
        value={text}
        readOnly={readOnly}
        maxLength={20_000}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text !== task.text && onChange(task, { text })}
      />
      <div className="task-row">
        <select
          aria-label={words.who}
          value={task.assignee ?? ""}
          disabled={readOnly}
          onChange={(event) => onChange(task, { assignee: event.target.value || null })}
        >
          <option value="">{words.nobody}</option>
          {fairies.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label={words.status}
          value={task.status}
          disabled={readOnly}
          onChange={(event) => onChange(task, { status: event.target.value as TaskStatus })}
        >
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {words.statuses[status]}
            </option>
          ))}
        </select>
        <span className="top-gap" />
        {!readOnly && task.status !== "done" && (
          <button type="button" className="button small primary" disabled={!task.assignee} onClick={() => onStart(task)}>
            {words.start}
          </button>
        )}
      </div>
      <div className="task-row">
        {task.bounds && (
          <button type="button" className="link-button" onClick={() => onShow(task)}>
            {strings.run.show}
          </button>
        )}
        {!readOnly && (
          <>
            <button
              type="button"
              className="link-button"
              disabled={!view && !task.bounds}
              onClick={() => onChange(task, { bounds: task.bounds ? null : view })}
            >
              {task.bounds ? words.unplace : words.place}
            </button>
            <span className="top-gap" />
            <button type="button" className="link-button" onClick={() => onDelete(task)}>
              {words.delete}
            </button>
          </>
        )}
      </div>
    </li>
  );
}
