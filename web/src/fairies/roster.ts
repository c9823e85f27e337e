import type { Fairy } from "../api/types";
import { strings } from "../strings";
import type { Point, Presence } from "../sync";

export const POSES = [
  "idle",
  "thinking",
  "working",
  "celebrating",
  "sleeping",
  "waiting",
  "soaring",
] as const;
export type Pose = (typeof POSES)[number];

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
  /** What it is doing now, in a few words; nothing when it only idles. */
  doing: string | null;
}

export function presenceOf(fairy: string, presences: readonly Presence[]): Presence | undefined {
  return presences.find((presence) => presence.kind === "fairy" && presence.fairy === fairy);
}

function isPose(value: unknown): value is Pose {
  return (POSES as readonly unknown[]).includes(value);
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
  return {
    id: fairy.id,
    name: fairy.name,
    hat: presence?.hat ?? fairy.hat,
    hatColor: presence?.hatColor ?? fairy.hatColor,
    color: presence?.color ?? fairy.color,
    position: isPoint(presence?.position) ? presence.position : fairy.position,
    pose,
    flip: presence?.flip ?? false,
    doing: presence?.doing || (pose === "thinking" ? strings.fairy.thinking : null),
  };
}

/** The fairies to draw over a page: those whose row says so, or who are seen there. */
export function fairiesOnPage(
  fairies: readonly Fairy[],
  page: string,
  presences: readonly Presence[],
): Appearance[] {
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
