import type { WorkspaceChange as Told } from "./schema";
import type { Page, Person, Run, Workspace } from "./types";

/** One `change` event: a whole object that is new or different, or the id of one that is gone or may not be seen any more. */
export type Change = Told | { kind: "person"; removed: string };

function upsert<T>(list: readonly T[], key: (item: T) => string, value: T): T[] {
  const at = list.findIndex((item) => key(item) === key(value));
  return at < 0 ? [...list, value] : list.map((item, i) => (i === at ? value : item));
}

function without<T>(list: readonly T[], key: (item: T) => string, gone: string): T[] {
  return list.filter((item) => key(item) !== gone);
}

const idOf = (item: { id: string }) => item.id;
const subjectOf = (item: Person) => item.subject;

/**
 * The workspace after one change. A kind this studio does not know yet (the
 * server may be newer than the open tab) leaves everything as it was.
 */
export function reduce(workspace: Workspace, change: Change): Workspace {
  if ("removed" in change) {
    switch (change.kind) {
      case "fairy":
        return { ...workspace, fairies: without(workspace.fairies, idOf, change.removed) };
      case "page":
        return { ...workspace, pages: without(workspace.pages, idOf, change.removed) };
      case "task":
        return { ...workspace, tasks: without(workspace.tasks, idOf, change.removed) };
      case "person":
        return { ...workspace, people: without(workspace.people, subjectOf, change.removed) };
    }
    return workspace;
  }
  switch (change.kind) {
    case "fairy":
      return { ...workspace, fairies: upsert(workspace.fairies, idOf, change.value) };
    case "run":
      return { ...workspace, runs: upsert(workspace.runs, idOf, change.value) };
    case "page":
      return { ...workspace, pages: upsert(workspace.pages, idOf, change.value) };
    case "task":
      return { ...workspace, tasks: upsert(workspace.tasks, idOf, change.value) };
    case "project":
      return { ...workspace, projects: upsert(workspace.projects, idOf, change.value) };
    case "person":
      return { ...workspace, people: upsert(workspace.people, subjectOf, change.value) };
    case "plugins":
      return { ...workspace, pluginsOff: change.value };
  }
  return workspace;
}

/** Pages in the order people gave them. */
export function orderedPages(workspace: Workspace): Page[] {
  return [...workspace.pages].sort((a, b) => a.position - b.position || a.id.localeCompare(b.id));
}

/** The page asked for if it is there, else the first canvas, else the first page. */
export function pageToOpen(workspace: Workspace, wanted: string | null): Page | undefined {
  const pages = orderedPages(workspace);
  return pages.find((page) => page.id === wanted) ?? pages.find((page) => page.kind === "canvas") ?? pages[0];
}

/** Finished, not yet settled, with something to show for it. */
export function isPending(run: Run): boolean {
  return !run.settled && run.status !== "running" && run.elements.length > 0;
}

/** Keep and Undo are offered for these. */
export function runsToSettle(workspace: Workspace, fairy: string): Run[] {
  return workspace.runs.filter((run) => run.fairy === fairy && isPending(run) && isThere(workspace, run));
}

/** Where the runs of the code project are. */
const CODE_PROJECT = "code";

/** What was made on a page that is deleted now is decided with the page. */
function isThere({ pages }: Workspace, { page }: Run): boolean {
  return page === CODE_PROJECT || pages.some(({ id }) => id === page);
}

/** What waits to be kept or undone on a page, whoever drew it. */
export function pendingOn(workspace: Workspace, page: string): Run[] {
  return workspace.runs.filter((run) => run.page === page && isPending(run));
}

export function runningRun(workspace: Workspace, fairy: string): Run | undefined {
  return workspace.runs.find((run) => run.fairy === fairy && run.status === "running");
}

/** What to call a subject when talking to `me`. */
export function nameOf(workspace: Workspace | null, subject: string, me: string): string | "you" {
  if (subject === me) return "you";
  const person = workspace?.people.find((p) => p.subject === subject);
  if (person) return person.name;
  const fairy = workspace?.fairies.find((f) => `fairy:${f.id}` === subject || f.id === subject);
  if (fairy) return fairy.name;
  return subject.replace(/^[a-z]+:/, "");
}
