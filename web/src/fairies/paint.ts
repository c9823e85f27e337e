/** The named colours fairies use, as seen; anything else must be a hex colour to be let into a drawing. */
const NAMED: Record<string, string> = {
  red: "#e03131",
  "light-red": "#ff8787",
  green: "#2f9e44",
  "light-green": "#8ce99a",
  blue: "#1971c2",
  "light-blue": "#74c0fc",
  orange: "#f08c00",
  yellow: "#ffd43b",
  black: "#343a40",
  violet: "#7048e8",
  "light-violet": "#d0a2f7",
  grey: "#868e96",
  white: "#f8f9fa",
  pink: "#f06595",
};

/** For a fairy whose own colour cannot be read. */
export const FAIRY_COLOR = "#7048e8";

export function paint(color: string | undefined | null, fallback: string): string {
  if (!color) return fallback;
  const named = NAMED[color.toLowerCase()];
  if (named) return named;
  return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(color) ? color : fallback;
}

function channels(hex: string): [number, number, number] {
  const full = hex.length === 4 ? hex.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3") : hex;
  const n = Number.parseInt(full.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

/** Mixes a hex colour with another; `share` 0 is all of the first, 1 all of the second. */
export function mix(color: string, other: string, share: number): string {
  const a = channels(color);
  const b = channels(other);
  const mixed = a.map((v, i) => Math.round(v + ((b[i] ?? v) - v) * share));
  return `#${mixed.map((v) => v.toString(16).padStart(2, "0")).join("")}`;
}
