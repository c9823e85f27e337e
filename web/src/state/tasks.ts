import { api } from "../api/client";
import type { Task } from "../api/types";
import { strings } from "../strings";
import type { Rect } from "../sync";
import { offerStands } from "../tasks/offer";
import type { TaskActions } from "../tasks/TaskCard";
import { handleOf, pageOf, tasksOn } from "./select";
import type { Get } from "./store";

/** What people do with the tasks of the page on screen. */
export interface Tasks {
  makeTask(title: string): void;
  /** Moves or resizes the area of one; says why not, and rejects, when that is refused. */
  setArea(task: Task, bounds: Rect): Promise<void>;
  /** A task was dropped on a fairy. */
  assign(task: string, fairy: string): void;
  taskActions: TaskActions;
}

export function tasks(get: Get): Tasks {
  return {
    makeTask: (title) => {
      const page = pageOf(get())?.id;
      if (page) void api.makeTask(get().workspace.id, { title, page }).catch(get().fail);
    },
    setArea: async (task, bounds) => {
      try {
        await api.changeTask(task.id, { bounds });
      } catch (error) {
        get().fail(error);
        throw error;
      }
    },
    assign: (id, fairy) => {
      const task = tasksOn(get()).find((each) => each.id === id);
      const who = get().workspace.fairies.find((each) => each.id === fairy);
      if (!task || !who) return;
      const offer = () =>
        get().say({
          tone: "calm",
          text: strings.tasks.assigned(task.title, who.name),
          action: { label: strings.tasks.start, run: () => void api.startTask(id).catch(get().fail) },
          stands: ({ tasks }) => offerStands(tasks, task, fairy),
        });
      api.changeTask(id, { assignee: fairy }).then(offer, get().fail);
    },
    taskActions: {
      onChange: (task, change) => void api.changeTask(task.id, change).catch(get().fail),
      onStart: (task) => void api.startTask(task.id).catch(get().fail),
      onDelete: (task) => void api.deleteTask(task.id).catch(get().fail),
      onShow: (task) => task.bounds && handleOf(get())?.scrollTo(task.bounds),
    },
  };
}
