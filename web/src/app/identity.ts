/** Chosen to be told apart from each other and to read on light and dark alike. */
export const PALETTE = ["#d9480f", "#c2255c", "#9c36b5", "#6741d9", "#1971c2", "#0c8599", "#2b8a3e", "#a15c00"] as const;

/** FNV-1a: small, stable across browsers and versions, good enough to spread names over a palette. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 0x01000193);
  }
  return h >>> 0;
}

/** The same person has the same colour on every screen, with no one keeping a list. */
export function colorOf(subject: string): string {
  return PALETTE[hash(subject) % PALETTE.length] ?? PALETTE[0];
}
