import { useState } from "react";
import { clearOfTools } from "../app/shapes";
import { tasksOn, useHandle, useRights } from "../state/select";
import { useStudio } from "../state/store";
import { strings } from "../strings";
import { TaskCard } from "../tasks/TaskCard";
import { SidePanel } from "./SidePanel";

/** The page's tasks: made here, given to fairies, started, watched. */
export default function TasksPanel() {
  const tasks = useStudio(tasksOn);
  const handle = useHandle();
  const readOnly = !useRights().wholePages;
  const { fairies, shown, toggle, make, actions } = useStudio((state) => ({
    fairies: state.workspace.fairies,
    shown: state.tasksShown,
    toggle: state.toggleTasks,
    make: state.makeTask,
    actions: state.taskActions,
  }));
  const [title, setTitle] = useState("");
  return (
    <SidePanel
      title={strings.tasks.title}
      testId="tasks-panel"
      tools={
        <button type="button" className="button small" aria-pressed={shown} onClick={toggle}>
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
            make(title.trim());
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
            view={handle && clearOfTools(handle)}
            {...actions}
          />
        ))}
      </ul>
    </SidePanel>
  );
}
