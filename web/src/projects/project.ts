import type { Fairy, Project, Run, Task } from "../api/types";
import { FAIRY_COLOR, paint } from "../fairies/paint";
import { strings } from "../strings";

/** A fairy's project while it is at it. */
export function projectOf(fairy: string, projects: readonly Project[]): Project | undefined {
  return projects.find(({ status, members }) => status === "active" && members.some((member) => member.fairy === fairy));
}

export const colorOf = (project: Project): string => paint(project.color, FAIRY_COLOR);

/** How many of its tasks are done. */
export function progressOf(project: Project, tasks: readonly Task[]): { done: number; all: number } {
  const own = tasks.filter(({ id }) => project.tasks.includes(id));
  return { done: own.filter(({ status }) => status === "done").length, all: own.length };
}

export interface Moment {
  key: string;
  at: number;
  who: string;
  what: string;
  /** Still at it. */
  now: boolean;
}

/** The first words of what a fairy was set on; news of a task repeats the task's own words at its end. */
function briefly(message: string): string {
  const [line = ""] = message.split("\n");
  const [news = ""] = line.split(" It was: ");
  return news.length > 120 ? `${news.slice(0, 119)}…` : news;
}

/** Runs that were asked for beside those that are told as they change: where both know one, the latter know it better. */
export function withTold(asked: readonly Run[], told: readonly Run[]): Run[] {
  const known = new Set(told.map(({ id }) => id));
  return [...asked.filter(({ id }) => !known.has(id)), ...told];
}

/** Who did what when: the runs of its members since it began and until they left, oldest first, ended by its end. */
export function timelineOf(project: Project, runs: readonly Run[], fairies: readonly Fairy[]): Moment[] {
  const name = (id: string) => fairies.find((fairy) => fairy.id === id)?.name ?? strings.projects.gone;
  const until = project.endedAt ?? Number.POSITIVE_INFINITY;
  const own = runs.filter(({ fairy, startedAt }) => {
    const at = Number(new Date(startedAt));
    const left = project.members.some((member) => member.fairy === fairy) ? until : (project.former[fairy] ?? Number.NEGATIVE_INFINITY);
    return at >= project.createdAt && at <= Math.min(until, left);
  });
  const moments = own.map((run) => ({
    key: run.id,
    at: Number(new Date(run.startedAt)),
    who: name(run.fairy),
    what: briefly(run.message) || strings.projects.work(run.elements.length),
    now: run.status === "running",
  }));
  moments.sort((a, b) => a.at - b.at);
  const end = project.endedAt && {
    key: "end",
    at: project.endedAt,
    who: project.name,
    what: strings.projects.statuses[project.status],
    now: false,
  };
  return end ? [...moments, end] : moments;
}
