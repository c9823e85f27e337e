import type { Todo } from "../api/types";
import { strings } from "../strings";

const MARKS: Record<Todo["status"], string> = { todo: "○", "in-progress": "◐", done: "●" };

/** What a fairy means to do, as it says itself. */
export function TodoList({ todos }: { todos: readonly Todo[] }) {
  if (todos.length === 0) return null;
  const done = todos.filter(({ status }) => status === "done").length;
  return (
    <details className="todos" data-testid="todos" open>
      <summary>{strings.chat.todo(done, todos.length)}</summary>
      <ul>
        {todos.map(({ id, status, text }) => (
          <li key={id} data-status={status}>
            <span aria-hidden="true">{MARKS[status]}</span>
            <span className="visually-hidden">{strings.chat.todoStatus[status]}</span>
            {text}
          </li>
        ))}
      </ul>
    </details>
  );
}
