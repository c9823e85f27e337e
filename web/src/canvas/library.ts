import type { LibraryItems } from "@excalidraw/excalidraw/types";

const KEY = "glade.library";

/** A person's library of shapes stays in their browser, as in Excalidraw: it is theirs, not the page's. */
export const libraryAdapter = {
  load(): { libraryItems: LibraryItems } | null {
    try {
      const stored = localStorage.getItem(KEY);
      return stored ? (JSON.parse(stored) as { libraryItems: LibraryItems }) : null;
    } catch {
      return null;
    }
  },
  save(data: { libraryItems: LibraryItems }): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(data));
    } catch {
      // A full or forbidden store: the library lasts as long as the tab.
    }
  },
};
