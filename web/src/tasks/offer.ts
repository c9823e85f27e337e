import type { Task } from "../api/types";

/**
 * Whether the offer to start a task that was just given to a fairy still stands: it is there, nobody has started it, and
 * nobody has given it to another. That it was given may be heard of a moment later.
 */
export function offerStands(tasks: readonly Task[], given: Task, fairy: string): boolean {
  const now = tasks.find(({ id }) => id === given.id);
  return now?.status === given.status && [given.assignee, fairy].includes(now.assignee);
}
