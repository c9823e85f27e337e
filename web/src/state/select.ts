import { useMemo } from "react";
import type { Fairy, Page, Run, Task } from "../api/types";
import { nameOf, pageToOpen, pendingOn } from "../api/workspace";
import { rightsOf, type Rights } from "../app/rights";
import { shapesOf } from "../app/shapes";
import type { CanvasHandle } from "../canvas";
import type { Comment } from "../comments/commentsDoc";
import { strings } from "../strings";
import { useStudio, type StudioState } from "./store";

let asked: { pages: readonly Page[]; wanted: string | null; page: Page | undefined } = { pages: [], wanted: null, page: undefined };

/** The page on screen. Everybody asks, whenever anything changes: the last answer is kept. */
export function pageOf({ workspace, wanted }: Pick<StudioState, "workspace" | "wanted">): Page | undefined {
  if (asked.pages !== workspace.pages || asked.wanted !== wanted) {
    asked = { pages: workspace.pages, wanted, page: pageToOpen(workspace, wanted) };
  }
  return asked.page;
}

/** The canvas of the page on screen, once it can be used: that of a page that was left is of no use. */
export const handleOf = (state: StudioState): CanvasHandle | null =>
  state.ready?.page === pageOf(state)?.id ? (state.ready?.handle ?? null) : null;

/** Whom one talks to: who was chosen, else who is on the page, else anybody. */
export function fairyOf(state: StudioState): Fairy | undefined {
  const { fairies } = state.workspace;
  const page = pageOf(state)?.id;
  return fairies.find(({ id }) => id === state.fairyId) ?? fairies.find((fairy) => fairy.page === page) ?? fairies[0];
}

export const rightsNow = ({ session, open }: StudioState): Rights => rightsOf(session, open?.status);

/** What to call a subject. */
export function calledIn({ workspace, session }: Pick<StudioState, "workspace" | "session">, subject: string): string {
  const known = nameOf(workspace, subject, session.subject);
  return known === "you" ? strings.run.you : known;
}

/** Who made a comment, by the server's word: anybody can write any name into one. Of fairies, which may be gone, it is
 * the server that wrote it. */
export function authorIn(
  { workspace }: Pick<StudioState, "workspace">,
  { author, authorName }: Pick<Comment, "author" | "authorName">,
): string {
  return author.startsWith("fairy:") ? authorName || strings.run.someone : nameOf(workspace, author, "");
}

export const useAuthor = (comment: Pick<Comment, "author" | "authorName">) => useStudio((state) => authorIn(state, comment));

/** The thing that a person would count an element as. */
export const shapeIn = (state: StudioState, element: string): string => shapesOf(handleOf(state), [element])[0] ?? element;

export const usePage = () => useStudio(pageOf);
export const useHandle = () => useStudio(handleOf);
export const useFairy = () => useStudio(fairyOf);
export const useRights = () => useStudio(rightsNow);

/** What waits to be kept or undone on the page. */
export function usePending(): Run[] {
  const page = usePage()?.id;
  const workspace = useStudio((state) => state.workspace);
  return useMemo(() => (page ? pendingOn(workspace, page) : []), [workspace, page]);
}

/** The tasks of the page, in the order people gave them. */
export function tasksOn(state: StudioState): Task[] {
  const page = pageOf(state)?.id;
  return (state.workspace.tasks ?? [])
    .filter((task) => task.page === page)
    .sort((a, b) => a.position - b.position || a.createdAt - b.createdAt);
}
