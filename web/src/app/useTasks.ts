import { useMemo, useState } from "react";
import { api } from "../api/client";
import { failed } from "../api/failed";
import type { Task, Workspace } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import type { Rect } from "../sync";
import { offerStands } from "../tasks/offer";
import type { TaskActions } from "../tasks/TaskCard";
import type { Toast } from "./Toast";

interface Hand {
  workspace: Workspace;
  page: string | undefined;
  handle: CanvasHandle | null;
  onToast(toast: Toast): void;
}

export interface Tasks {
  list: Task[];
  actions: TaskActions;
  shown: boolean;
  toggle(): void;
  make(title: string): void;
  /** Moves or resizes the area of one; says why not, and rejects, when that is refused. */
  setArea(task: Task, bounds: Rect): Promise<void>;
  /** A task was dropped on a fairy. */
  assign(task: string, fairy: string): void;
}

/** The tasks of the page on screen, and what people do with them. */
export function useTasks({ workspace, page, handle, onToast }: Hand): Tasks {
  const [shown, setShown] = useState(true);
  const list = useMemo(
    () => (workspace.tasks ?? []).filter((task) => task.page === page).sort((a, b) => a.position - b.position || a.createdAt - b.createdAt),
    [workspace.tasks, page],
  );
  const fail = (error: unknown) => onToast({ tone: "bad", text: failed(error) });
  return {
    list,
    shown,
    toggle: () => setShown((was) => !was),
    make: (title) => {
      if (page) void api.makeTask(workspace.id, { title, page }).catch(fail);
    },
    setArea: (task, bounds) =>
      api.changeTask(task.id, { bounds }).then(
        () => undefined,
        (error: unknown) => {
          fail(error);
          throw error;
        },
      ),
    assign: (id, fairy) => {
      const task = list.find((each) => each.id === id);
      const who = workspace.fairies.find((each) => each.id === fairy);
      if (!task || !who) return;
      api.changeTask(id, { assignee: fairy }).then(
        () =>
          onToast({
            tone: "calm",
            text: strings.tasks.assigned(task.title, who.name),
            action: { label: strings.tasks.start, run: () => void api.startTask(id).catch(fail) },
            stands: ({ tasks }) => offerStands(tasks, task, fairy),
          }),
        fail,
      );
    },
    actions: {
      onChange: (task, change) => void api.changeTask(task.id, change).catch(fail),
      onStart: (task) => void api.startTask(task.id).catch(fail),
      onDelete: (task) => void api.deleteTask(task.id).catch(fail),
      onShow: (task) => task.bounds && handle?.scrollTo(task.bounds),
    },
  };
}
