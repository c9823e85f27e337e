import type { Node } from "prosemirror-model";
import { useState } from "react";
import { strings } from "../strings";

export interface OutlineEntry {
  id: string;
  level: number;
  text: string;
}

export function outlineOf(doc: Node): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  doc.forEach((node) => {
    if (node.type.name === "heading" && node.textContent.trim())
      entries.push({ id: node.attrs.id, level: node.attrs.level, text: node.textContent });
  });
  return entries;
}

/** The headings of the page, to go to: at the side of a wide window, behind a button in a narrow one. */
export function Outline({ entries, onGo }: { entries: readonly OutlineEntry[]; onGo(block: string): void }) {
  const [open, setOpen] = useState(false);
  if (entries.length < 2) return null;
  return (
    <nav className="text-outline" aria-label={strings.text.outline} data-open={open || undefined}>
      <button type="button" className="text-outline-toggle" aria-expanded={open} onClick={() => setOpen((was) => !was)}>
        {strings.text.headings}
      </button>
      <ul>
        {entries.map(({ id, level, text }) => (
          <li key={id} style={{ paddingLeft: `${(level - 1) * 0.8}em` }}>
            <button
              type="button"
              onClick={() => {
                setOpen(false);
                onGo(id);
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
