import type { Attenuate, Link } from "../api/schema";
import type { Page } from "../api/types";
import { strings } from "../strings";
import { projectRightOf } from "./project";

/** What a link may do, from looking to everything but handing out keys. */
export const RIGHTS = {
  read: ["read"],
  comment: ["read", "comment"],
  suggest: ["read", "comment", "suggest"],
  edit: ["read", "comment", "suggest", "edit"],
  command: ["read", "comment", "suggest", "edit", "command"],
} as const;
export type Right = keyof typeof RIGHTS;

/** What somebody can hand on who may do this much themselves; who may edit may also suggest. */
export function offeredRights(own: readonly string[]): Right[] {
  const has = (op: string) => own.includes(op) || (op === "suggest" && own.includes("edit"));
  return (Object.keys(RIGHTS) as Right[]).filter((right) => RIGHTS[right].every(has));
}

/** The most that a list of rights amounts to. */
export function rightOf(ops: readonly string[]): Right {
  const most: Right[] = ["command", "edit", "suggest", "comment"];
  return most.find((right) => ops.includes(right)) ?? "read";
}

/** Which pages a link opens: as the value of a choice. */
export type Where = "all" | "here" | `tier:${string}`;

export function limitsOf(where: Where, page: Page): Pick<Attenuate, "pages" | "tiers"> {
  if (where === "here") return { pages: [page.id] };
  return where === "all" ? {} : { tiers: [where.slice("tier:".length)] };
}

export type LinkState = "alive" | "expired" | "revoked";

export function stateOf(link: Link, now: number): LinkState {
  if (link.revoked) return "revoked";
  return link.expiresAt !== null && link.expiresAt <= now ? "expired" : "alive";
}

/** What became of the links that made this person: alive as long as one of them is, or none is known. */
export function stateOfPerson(links: readonly Link[], subject: string, now: number): LinkState {
  const states = links.filter((link) => link.subject === subject).map((link) => stateOf(link, now));
  return states.includes("alive") ? "alive" : (states.at(-1) ?? "alive");
}

/** In words: what a link may do, where and until when. */
export function describeLink(link: Link, pages: readonly Page[]): string {
  const words = strings.share;
  const nameOf = (id: string) => pages.find((page) => page.id === id)?.name || id;
  return [
    words.rights[rightOf(link.ops)],
    link.project?.length ? words.inProject(words.projectRights[projectRightOf(link.project)]) : null,
    link.pages ? words.on(link.pages.map(nameOf).join(", ")) : null,
    link.tiers ? words.onTiers(link.tiers.map(tierName).join(", ")) : null,
    link.region ? words.inRegion(link.region) : null,
    link.paths ? words.onPaths(link.paths.join(", ")) : null,
    link.tools ? words.withTools(link.tools.join(", ")) : null,
    link.expiresAt ? strings.settings.untilTime(new Date(link.expiresAt).toLocaleString()) : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

export function tierName(tier: string): string {
  return strings.page.tools.tiers[tier] ?? tier;
}
