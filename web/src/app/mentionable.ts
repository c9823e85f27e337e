import type { Workspace } from "../api/types";
import type { Mentionable } from "../text/MentionMenu";
import { strings } from "../strings";

/** Whom and what one can mention on a page: people, fairies, other pages. */
export function mentionableIn(workspace: Workspace, page: string | undefined): Mentionable[] {
  return [
    ...workspace.people.map(({ subject, name }) => ({ kind: "person" as const, id: subject, name })),
    ...workspace.fairies.map(({ id, name }) => ({ kind: "fairy" as const, id, name })),
    ...workspace.pages
      .filter(({ id }) => id !== page)
      .map(({ id, name }) => ({ kind: "page" as const, id, name: name || strings.page.untitled })),
  ];
}
