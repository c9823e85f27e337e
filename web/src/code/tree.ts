import type { Entry, Listing } from "./types";

/** One line of the tree, as it is on the screen. */
export interface Row extends Entry {
  name: string;
  level: number;
  open: boolean;
}

/** The lines to show: folders first, each followed by what is in it if it is open. */
export function rows(listings: ReadonlyMap<string, Listing>, open: ReadonlySet<string>, folder = "", level = 1): Row[] {
  const entries = [...(listings.get(folder)?.files ?? [])];
  entries.sort((a, b) => Number(b.type === "directory") - Number(a.type === "directory") || a.path.localeCompare(b.path));
  return entries.flatMap((entry) => {
    const isOpen = entry.type === "directory" && open.has(entry.path);
    const row: Row = { ...entry, name: entry.path.slice(entry.path.lastIndexOf("/") + 1), level, open: isOpen };
    return isOpen ? [row, ...rows(listings, open, entry.path, level + 1)] : [row];
  });
}

/** The folders that a file lies in, outermost first. */
export function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

/** What a key does in the tree: another line to be on, or a folder to open or close. */
export type Step = { to: number } | { toggle: number } | { pick: number } | null;

export function step(rows: readonly Row[], at: number, key: string): Step {
  const row = rows[at];
  if (!row) return rows.length > 0 ? { to: 0 } : null;
  switch (key) {
    case "ArrowDown":
      return { to: Math.min(at + 1, rows.length - 1) };
    case "ArrowUp":
      return { to: Math.max(at - 1, 0) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: rows.length - 1 };
    case "ArrowRight":
      if (row.type !== "directory") return null;
      return row.open ? { to: Math.min(at + 1, rows.length - 1) } : { toggle: at };
    case "ArrowLeft": {
      if (row.open) return { toggle: at };
      const parent = rows.findLastIndex((other, index) => index < at && other.level < row.level);
      return parent < 0 ? null : { to: parent };
    }
    case "Enter":
    case " ":
      return row.type === "directory" ? { toggle: at } : { pick: at };
    default:
      return null;
  }
}
