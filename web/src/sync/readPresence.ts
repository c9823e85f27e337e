import { colorOf } from "../app/identity";
import type { Point, Presence, Rect } from "./types";

/** As the server's table has them (`glade-doc/src/presence.rs`). */
export const MOST_SELECTED = 1_000;
const LONGEST = { name: 1_024, id: 512, cursor: 1_024, word: 64 };
const FARTHEST = 1e9;

const ACTIVITIES: readonly unknown[] = ["generating", "idle", "awaiting-tool-result"];

type Fields = Record<string, unknown>;
type Caret = NonNullable<Presence["caret"]>;

/**
 * What somebody shows, if it can be shown: nobody's page may fail over what somebody else says of themselves. The
 * server lets nothing else through; this holds for one that is older, too.
 */
export function readPresence(value: unknown): Presence | undefined {
  if (!isObject(value)) return undefined;
  const { subject, kind } = value;
  const name = text(value.name, LONGEST.name);
  if (typeof subject !== "string" || name === undefined || (kind !== "person" && kind !== "fairy")) return undefined;
  const shown: Presence = {
    subject,
    name,
    kind,
    // People have the colour of their subject, whatever they say: nobody borrows another's.
    color: kind === "fairy" && isColor(value.color) ? value.color : colorOf(subject),
    cursor: point(value.cursor) ?? null,
    selection: Array.isArray(value.selection) ? value.selection.slice(0, MOST_SELECTED).filter(isId) : [],
    viewport: rect(value.viewport) ?? null,
    activity: ACTIVITIES.includes(value.activity) ? (value.activity as Presence["activity"]) : "idle",
    caret: caret(value.caret) ?? null,
  };
  return kind === "fairy" ? { ...shown, ...ofFairy(value) } : shown;
}

function ofFairy(value: Fields): Partial<Presence> {
  const said = {
    fairy: text(value.fairy, LONGEST.id),
    mode: text(value.mode, LONGEST.word),
    position: point(value.position),
    pose: text(value.pose, LONGEST.word),
    expression: text(value.expression, LONGEST.word),
    flip: typeof value.flip === "boolean" ? value.flip : undefined,
    hat: text(value.hat, LONGEST.word),
    hatColor: text(value.hatColor, LONGEST.word),
    doing: text(value.doing, LONGEST.name),
  };
  return Object.fromEntries(Object.entries(said).filter(([, it]) => it !== undefined));
}

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const isColor = (value: unknown): value is string => typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);
const isId = (value: unknown): value is string => text(value, LONGEST.id) !== undefined;
const isNumber = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= FARTHEST;

function text(value: unknown, most: number): string | undefined {
  return typeof value === "string" && value.length <= most ? value : undefined;
}

function point(value: unknown): Point | undefined {
  if (!isObject(value) || !isNumber(value.x) || !isNumber(value.y)) return undefined;
  return { x: value.x, y: value.y };
}

function rect(value: unknown): Rect | undefined {
  const at = point(value);
  if (!at || !isObject(value) || !isNumber(value.w) || !isNumber(value.h)) return undefined;
  return value.w >= 0 && value.h >= 0 ? { ...at, w: value.w, h: value.h } : undefined;
}

function caret(value: unknown): Caret | undefined {
  if (!isObject(value)) return undefined;
  const [anchor, head] = [place(value.anchor), place(value.head)];
  return anchor && head ? { anchor, head } : undefined;
}

function place(value: unknown): Caret["head"] | undefined {
  if (!isObject(value) || !isId(value.block)) return undefined;
  if (value.at === undefined) return { block: value.block };
  const at = text(value.at, LONGEST.cursor);
  return at === undefined ? undefined : { block: value.block, at };
}
