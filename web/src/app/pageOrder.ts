import type { Page } from "../api/types";

/** The position that puts a page at place `to` of the list it is taken out of; null when it is there already. */
export function positionAt(pages: readonly Page[], page: string, to: number): number | null {
  const from = pages.findIndex(({ id }) => id === page);
  const at = Math.max(0, Math.min(to, pages.length - 1));
  if (from < 0 || from === at) return null;
  const rest = pages.filter(({ id }) => id !== page);
  const before = rest[at - 1]?.position;
  const after = rest[at]?.position;
  if (before === undefined) return (after ?? 1) - 1;
  return after === undefined ? before + 1 : (before + after) / 2;
}
