import type { Expression, Pose } from "./roster";

const INK = "#33263d";
const stroke = { stroke: INK, strokeWidth: 2.2, strokeLinecap: "round", fill: "none" } as const;

function OpenEyes({ dx = 0, dy = 0 }: { dx?: number; dy?: number }) {
  return (
    <g className="fairy-eyes">
      <ellipse cx={43 + dx} cy={40 + dy} rx="2.8" ry="3.9" fill={INK} />
      <ellipse cx={57 + dx} cy={40 + dy} rx="2.8" ry="3.9" fill={INK} />
      <circle cx={44.1 + dx} cy={38.5 + dy} r="1.1" fill="#fff" />
      <circle cx={58.1 + dx} cy={38.5 + dy} r="1.1" fill="#fff" />
    </g>
  );
}

type Face = Pose | "sorry";

/** What it feels shows over what it does; asleep it feels nothing. */
function faceOf(pose: Pose, expression: Expression): Face {
  if (pose === "sleeping") return pose;
  switch (expression) {
    case "curious":
      return "thinking";
    case "focused":
      return "working";
    case "happy":
      return "celebrating";
    case "sorry":
      return "sorry";
    case "neutral":
      return pose;
  }
}

/** Eyes and mouth: the part of a fairy people read first. */
export function FairyFace({ pose, expression }: { pose: Pose; expression: Expression }) {
  switch (faceOf(pose, expression)) {
    case "sorry":
      return (
        <g>
          <OpenEyes dy={1.4} />
          <path d="M39.6 34.6q3-.4 5-2.6M60.4 34.6q-3-.4-5-2.6" {...stroke} strokeWidth={1.6} />
          <path d="M46.4 50q3.6-3.2 7.2 0" {...stroke} strokeWidth={1.9} />
        </g>
      );
    case "sleeping":
      return (
        <g>
          <path d="M39.8 40.5q3.2 2.6 6.4 0M53.8 40.5q3.2 2.6 6.4 0" {...stroke} />
          <path d="M47.6 48.2q2.4 1.6 4.8 0" {...stroke} strokeWidth={1.8} />
        </g>
      );
    case "celebrating":
      return (
        <g>
          <path d="M39.6 41.4q3.4-4.6 6.8 0M53.6 41.4q3.4-4.6 6.8 0" {...stroke} />
          <path d="M44.6 45.6h10.8c0 3.6-2.4 6-5.4 6s-5.4-2.4-5.4-6z" fill={INK} />
          <path d="M47.2 50.3q2.8-2 5.6 0-2.8 1.8-5.6 0z" fill="#ff8fa3" />
        </g>
      );
    case "thinking":
      return (
        <g>
          <OpenEyes dx={1.6} dy={-1.8} />
          <path d="M53.6 32.8q3-2 6 -.6" {...stroke} strokeWidth={1.6} />
          <ellipse cx="51.5" cy="48.2" rx="2" ry="1.7" fill={INK} />
        </g>
      );
    case "waiting":
      return (
        <g>
          <OpenEyes dx={2.2} />
          <path d="M47.4 48.2h5.2" {...stroke} strokeWidth={1.9} />
        </g>
      );
    case "working":
      return (
        <g>
          <OpenEyes dx={1.8} dy={0.8} />
          <path d="M40.6 33.4q2.6-1.6 5.2-.4M55.6 33q2.6-1.2 5.2.4" {...stroke} strokeWidth={1.5} />
          <path d="M46.8 47.4q3.2 2.8 6.4 0" {...stroke} strokeWidth={1.9} />
        </g>
      );
    default:
      return (
        <g>
          <OpenEyes />
          <path d="M45.6 46.8q4.4 4.4 8.8 0" {...stroke} strokeWidth={1.9} />
        </g>
      );
  }
}
