import { useLayoutEffect, useRef } from "react";
import type { Fairy, Task } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { FAIRY_COLOR, paint } from "../fairies/paint";
import { strings } from "../strings";
import { DRAGGED_TASK } from "./TaskCard";

interface TaskOverlayProps {
  handle: CanvasHandle;
  tasks: readonly Task[];
  fairies: readonly Fairy[];
  onOpen(task: Task): void;
}

function Bounds({ handle, task, color, onOpen }: { handle: CanvasHandle; task: Task; color: string; onOpen(task: Task): void }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      if (!root.current || !task.bounds) return;
      const { x, y } = handle.toScreen(task.bounds);
      const zoom = handle.zoom();
      root.current.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      root.current.style.width = `${(task.bounds.w * zoom).toFixed(1)}px`;
      root.current.style.height = `${(task.bounds.h * zoom).toFixed(1)}px`;
    };
    place();
    return handle.onViewport(place);
  }, [handle, task.bounds]);
  return (
    <div ref={root} className="task-bounds" data-testid="task-bounds" data-status={task.status} style={{ color }}>
      <button
        type="button"
        className="task-tag"
        aria-label={strings.tasks.card(task.title, strings.tasks.statuses[task.status])}
        draggable
        onPointerDown={(event) => event.stopPropagation()}
        onDragStart={(event) => event.dataTransfer.setData(DRAGGED_TASK, task.id)}
        onClick={() => onOpen(task)}
      >
        <span>{task.title}</span>
        <small>{strings.tasks.statuses[task.status]}</small>
      </button>
    </div>
  );
}

/** Where tasks are to be done: a frame each, with a card at its corner. */
export function TaskOverlay({ handle, tasks, fairies, onOpen }: TaskOverlayProps) {
  return (
    <div className="task-overlay">
      {tasks
        .filter(({ bounds }) => bounds !== null)
        .map((task) => (
          <Bounds key={task.id} handle={handle} task={task} color={paint(fairies.find(({ id }) => id === task.assignee)?.color, task.assignee ? FAIRY_COLOR : "#868e96")} onOpen={onOpen} />
        ))}
    </div>
  );
}
