import { useLayoutEffect, useRef, useState } from "react";
import type { Fairy, Project, Task } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { onZoom, useGlued } from "../canvas/useGlued";
import { FAIRY_COLOR, paint } from "../fairies/paint";
import { colorOf } from "../projects/project";
import { strings } from "../strings";
import type { Rect } from "../sync";
import { DRAGGED_TASK } from "./TaskCard";
import { dragged, nudged, type Grip } from "./region";

interface TaskOverlayProps {
  handle: CanvasHandle;
  tasks: readonly Task[];
  fairies: readonly Fairy[];
  projects: readonly Project[];
  readOnly: boolean;
  onOpen(task: Task): void;
  /** Somebody drew the area of a task anew; rejects when it must stay as it was. */
  onRegion(task: Task, bounds: Rect): Promise<void>;
}

interface BoundsProps extends Pick<TaskOverlayProps, "handle" | "readOnly" | "onOpen" | "onRegion"> {
  task: Task;
  bounds: Rect;
  color: string;
}

function Bounds({ handle, task, bounds, color, readOnly, onOpen, onRegion }: BoundsProps) {
  const root = useRef<HTMLDivElement>(null);
  // Where it is being dragged to, until the workspace says the same.
  const [wanted, setWanted] = useState<Rect | null>(null);
  const shown = wanted ?? bounds;
  useLayoutEffect(() => setWanted(null), [bounds]);
  const put = (area: Rect) => {
    setWanted(area);
    // Only if nothing else is wanted by now.
    onRegion(task, area).catch(() => setWanted((now) => (now === area ? null : now)));
  };
  useLayoutEffect(
    () =>
      onZoom(handle, (zoom) => {
        if (!root.current) return;
        const [x, y, w, h] = [shown.x, shown.y, shown.w, shown.h].map((n) => `${(n * zoom).toFixed(1)}px`);
        Object.assign(root.current.style, { transform: `translate(${x}, ${y})`, width: w, height: h });
      }),
    [handle, shown],
  );

  const grip = (which: Grip, label: string) => (
    <button
      type="button"
      className="task-grip"
      data-grip={which}
      aria-label={label}
      title={label}
      onPointerDown={(start) => {
        start.stopPropagation();
        start.preventDefault();
        const knob = start.currentTarget;
        knob.setPointerCapture(start.pointerId);
        knob.focus();
        const to = (event: PointerEvent) =>
          dragged(bounds, which, (event.clientX - start.clientX) / handle.zoom(), (event.clientY - start.clientY) / handle.zoom());
        const move = (event: PointerEvent) => setWanted(to(event));
        const end = (event: PointerEvent) => {
          for (const name of ["pointermove", "pointerup", "pointercancel"])
            knob.removeEventListener(name, name === "pointermove" ? (move as EventListener) : (end as EventListener));
          if (event.type === "pointercancel") setWanted(null);
          else put(to(event));
        };
        knob.addEventListener("pointermove", move);
        knob.addEventListener("pointerup", end);
        knob.addEventListener("pointercancel", end);
      }}
      onKeyDown={(event) => {
        const next = nudged(shown, which, event.key, event.shiftKey);
        if (!next) return;
        event.preventDefault();
        // The editor would move what is selected.
        event.stopPropagation();
        put(next);
      }}
    />
  );

  return (
    <div
      ref={root}
      className="task-bounds"
      data-testid="task-bounds"
      data-status={task.status}
      data-project={task.project ?? undefined}
      style={{ color }}
    >
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
      {!readOnly && task.status !== "done" && (
        <>
          {grip("move", strings.tasks.move(task.title))}
          {grip("size", strings.tasks.resize(task.title))}
        </>
      )}
    </div>
  );
}

/** Where tasks are to be done: a frame each, with a card at its corner and handles to move and resize it. */
export function TaskOverlay({ tasks, fairies, projects, ...rest }: TaskOverlayProps) {
  const colorFor = (task: Task) => {
    const project = projects.find(({ id, status }) => id === task.project && status === "active");
    if (project) return colorOf(project);
    return paint(fairies.find(({ id }) => id === task.assignee)?.color, task.assignee ? FAIRY_COLOR : "#868e96");
  };
  const sheet = useGlued<HTMLDivElement>(rest.handle);
  return (
    <div ref={sheet} className="task-overlay glued">
      {tasks.map((task) => task.bounds && <Bounds key={task.id} {...rest} task={task} bounds={task.bounds} color={colorFor(task)} />)}
    </div>
  );
}
