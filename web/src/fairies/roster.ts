import type { Fairy } from "../api/types";
import { strings } from "../strings";
import type { Point, Presence, Rect } from "../sync";

export const POSES = ["idle", "thinking", "working", "celebrating", "sleeping", "waiting", "soaring"] as const;
export type Pose = (typeof POSES)[number];

export const EXPRESSIONS = ["neutral", "curious", "focused", "happy", "sorry"] as const;
export type Expression = (typeof EXPRESSIONS)[number];

/** What a fairy sees when nothing else is said: this much around it. */
const VIEW = 1000;

/** A fairy as it is to be shown: its row in the workspace, made lively by its presence. */
export interface Appearance {
  id: string;
  name: string;
  hat: string;
  hatColor: string;
  color: string;
  position: Point;
  pose: Pose;
  flip: boolean;
  expression: Expression;
  /** The part of the page it looks at. */
  view: Rect;
  asleep: boolean;
  /** What it is doing now, in a few words; nothing when it only idles. */
  doing: string | null;
}

export function presenceOf(fairy: string, presences: readonly Presence[]): Presence | undefined {
  return presences.find((presence) => presence.kind === "fairy" && presence.fairy === fairy);
}

function isPose(value: unknown): value is Pose {
  return (POSES as readonly unknown[]).includes(value);
}

function isExpression(value: unknown): value is Expression {
  return (EXPRESSIONS as readonly unknown[]).includes(value);
}

function isPoint(value: unknown): value is Point {
  const point = value as Point | null | undefined;
  return Number.isFinite(point?.x) && Number.isFinite(point?.y);
}

const RESTING = new Set(["idling", "sleeping", "pausing"]);

function poseFor(mode: string): Pose {
  if (mode === "sleeping") return "sleeping";
  if (RESTING.has(mode)) return "idle";
  return mode.includes("waiting") || mode === "standing-by" ? "waiting" : "working";
}

export function appearance(fairy: Fairy, presence: Presence | undefined): Appearance {
  const mode = presence?.mode ?? fairy.mode;
  const pose = isPose(presence?.pose) ? presence.pose : poseFor(mode);
  const position = isPoint(presence?.position) ? presence.position : fairy.position;
  return {
    id: fairy.id,
    name: fairy.name,
    hat: presence?.hat ?? fairy.hat,
    hatColor: presence?.hatColor ?? fairy.hatColor,
    color: presence?.color ?? fairy.color,
    position,
    pose,
    flip: presence?.flip ?? false,
    expression: isExpression(presence?.expression) ? presence.expression : "neutral",
    view: presence?.viewport ?? { x: position.x - VIEW / 2, y: position.y - VIEW / 2, w: VIEW, h: VIEW },
    asleep: mode === "sleeping",
    doing: presence?.doing || (pose === "thinking" ? strings.fairy.thinking : null),
  };
}

/** Closer than this, one hides the other; in page units, of which a sprite is 60 wide. */
const TOO_CLOSE = 36;
const STEP_ASIDE = 44;

/** Nobody hides behind another: who would stand where one stands already is shown a step aside. */
export function apart(fairies: readonly Appearance[]): Appearance[] {
  const placed: Appearance[] = [];
  for (const fairy of fairies) {
    let { x, y } = fairy.position;
    const taken = (at: number) => placed.some(({ position }) => Math.hypot(position.x - at, position.y - y) < TOO_CLOSE);
    while (taken(x)) x += STEP_ASIDE;
    placed.push(x === fairy.position.x ? fairy : { ...fairy, position: { x, y } });
  }
  return placed;
}

/** Fairies as they are in `places`, looking as they do in `looks`, which may be older: whoever is only there looks as now. */
export function inPlaces(looks: readonly Presence[], places: readonly Presence[]): Presence[] {
  return places.map((presence) => {
    const look = presence.fairy === undefined ? undefined : presenceOf(presence.fairy, looks);
    const { position, flip, viewport } = presence;
    return look ? { ...look, position, flip, viewport } : presence;
  });
}

/** The fairies to draw over a page: those whose row says so, or who are seen there. */
export function fairiesOnPage(fairies: readonly Fairy[], page: string, presences: readonly Presence[]): Appearance[] {
  return fairies.flatMap((fairy) => {
    const presence = presenceOf(fairy.id, presences);
    return presence || fairy.page === page ? [appearance(fairy, presence)] : [];
  });
}

/** The few words beside a fairy's name: what it does, else how it is. */
export function describeMode(fairy: Fairy, presence: Presence | undefined, busy: boolean): string {
  const shown = appearance(fairy, presence);
  if (shown.doing) return shown.doing;
  const mode = presence?.mode ?? fairy.mode;
  if (busy && RESTING.has(mode)) return strings.fairy.thinking;
  return strings.fairy.modes[mode] ?? mode.replaceAll("-", " ");
}
