import type { FairyScope } from "../api/types";

/**
 * What of a fairy's work can be switched off, as a person would say it, and the actions that each stands for: those
 * that the server lets a scope name, each in one kind. What never changes a page cannot be forbidden, and has none.
 */
export const KINDS_OF_WORK = {
  draw: ["create", "pen", "diagram"],
  change: ["update", "label"],
  arrange: ["move", "place", "rotate", "resize", "align", "distribute", "stack", "bring-to-front", "send-to-back", "tidy"],
  remove: ["delete", "clear"],
  write: [
    "text-insert",
    "text-rewrite",
    "mark-set",
    "block-insert",
    "block-move",
    "block-delete",
    "block-set-kind",
    "list-set",
    "table-add-row",
    "table-add-column",
    "table-set-cell",
    "math-insert-formula",
    "mention-insert",
  ],
  comment: ["comment-add", "comment-reply", "comment-resolve"],
  pages: ["create-page"],
  code: ["multi-edit", "overwrite-file", "move-file", "delete-file"],
  outside: ["embed-fetch-and-insert", "random-wikipedia-article", "country-info"],
} as const satisfies Record<string, readonly string[]>;

export type KindOfWork = keyof typeof KINDS_OF_WORK;

type Actions = FairyScope["actions"];

const ALL: readonly string[] = Object.values(KINDS_OF_WORK).flat();

export function allows(actions: Actions, kind: KindOfWork): boolean {
  return !actions || KINDS_OF_WORK[kind].every((action) => actions.includes(action));
}

/** The actions once a kind is switched on or off; what else was named stays. Nothing: all are allowed. */
export function withKind(actions: Actions, kind: KindOfWork, on: boolean): string[] | null {
  const own: readonly string[] = KINDS_OF_WORK[kind];
  const others = (actions ?? ALL).filter((action) => !own.includes(action));
  const named = on ? [...others, ...own] : others;
  return ALL.every((action) => named.includes(action)) ? null : named;
}
