import { memo, useId } from "react";
import { FairyFace } from "./FairyFace";
import { FairyHat } from "./FairyHat";
import { mix, paint } from "./paint";
import type { Expression, Pose } from "./roster";

interface FairyArtProps {
  color: string;
  hat: string;
  hatColor: string;
  pose: Pose;
  expression?: Expression;
}

const INK = "#33263d";
const SKIN = "#ffe7d1";
const SKIN_LINE = "#b98a6b";

interface Arms {
  left: string;
  right: string;
  /** Where the wand is held and how it is turned; none when both hands are busy. */
  wand: { x: number; y: number; turn: number } | null;
}

const ARMS: Record<Pose, Arms> = {
  idle: { left: "M42 65Q35 68 32 74", right: "M58 65Q65 68 69 72", wand: { x: 69, y: 72, turn: 22 } },
  thinking: { left: "M42 65Q35 68 33 75", right: "M58 66Q64 66 60 55", wand: null },
  working: { left: "M42 65Q35 66 31 70", right: "M58 64Q66 64 72 57", wand: { x: 72, y: 57, turn: 32 } },
  celebrating: { left: "M42 64Q33 60 29 50", right: "M58 64Q67 60 71 50", wand: { x: 71, y: 50, turn: 12 } },
  sleeping: { left: "M42 66Q44 73 50 74", right: "M58 66Q56 73 50 74", wand: null },
  waiting: { left: "M42 65Q36 70 42 75", right: "M58 65Q64 70 58 75", wand: null },
  soaring: { left: "M42 65Q34 69 29 72", right: "M58 63Q67 60 75 58", wand: { x: 75, y: 58, turn: 62 } },
};

const STAR = "M0-6.2 1.7-2 6.2-1.6 2.8 1.4 3.9 5.9 0 3.5-3.9 5.9-2.8 1.4-6.2-1.6-1.7-2Z";
const SPARK = "M0-4Q.6-.6 4 0 .6.6 0 4-.6.6-4 0-.6-.6 0-4Z";

function Arm({ d, skin }: { d: string; skin: string }) {
  return (
    <g fill="none" strokeLinecap="round">
      <path d={d} stroke={SKIN_LINE} strokeWidth="6" />
      <path d={d} stroke={skin} strokeWidth="4.2" />
    </g>
  );
}

function Wings({ tint, id }: { tint: string; id: string }) {
  const edge = mix(tint, INK, 0.12);
  const wing = (
    <>
      <path d="M48 60C36 26 4 17 1 38-1 53 26 63 48 62Z" fill={`url(#${id}-wing)`} stroke={edge} strokeWidth="1.3" />
      <path d="M48 62C32 61 9 68 13 81 17 92 40 82 49 66Z" fill={`url(#${id}-wing)`} stroke={edge} strokeWidth="1.3" />
      <path
        d="M44 58C32 42 18 34 9 37M43 65C32 67 23 73 20 79"
        fill="none"
        stroke="#fff"
        strokeOpacity="0.9"
        strokeWidth="1.3"
        strokeLinecap="round"
      />
    </>
  );
  return (
    <>
      <g className="fairy-wing fairy-wing-left">{wing}</g>
      <g transform="translate(100 0) scale(-1 1)">
        <g className="fairy-wing fairy-wing-right">{wing}</g>
      </g>
    </>
  );
}

function Extras({ pose }: { pose: Pose }) {
  if (pose === "thinking") {
    return (
      <g className="fairy-dots" fill="#fff" stroke="#b8a9c9" strokeWidth="1.2">
        <circle cx="75" cy="24" r="2.6" />
        <circle cx="82" cy="15" r="3.6" />
        <circle cx="92" cy="4" r="5" />
      </g>
    );
  }
  if (pose === "sleeping") {
    return (
      <g className="fairy-zzz" fill="none" stroke="#8d7ba6" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M74 28h5l-5 6h5" />
        <path d="M83 15h6.5l-6.5 8h6.5" />
        <path d="M94-1h8l-8 10h8" />
      </g>
    );
  }
  if (pose === "celebrating") {
    return (
      <g className="fairy-confetti">
        {[
          { x: 14, y: 22, c: "#ffd43b", s: 1.3 },
          { x: 88, y: 24, c: "#ff8fa3", s: 1.1 },
          { x: 22, y: 2, c: "#74c0fc", s: 0.9 },
          { x: 80, y: -2, c: "#8ce99a", s: 1.2 },
          { x: 6, y: 60, c: "#d0a2f7", s: 0.9 },
          { x: 96, y: 62, c: "#ffd43b", s: 0.8 },
        ].map(({ x, y, c, s }) => (
          <path key={`${x} ${y}`} d={SPARK} fill={c} transform={`translate(${x} ${y}) scale(${s})`} />
        ))}
      </g>
    );
  }
  return null;
}

/** The drawing itself: no state, no place, only looks. Decorative; whoever shows it names it. */
export const FairyArt = memo(function FairyArt({ color, hat, hatColor, pose, expression = "neutral" }: FairyArtProps) {
  const id = `fairy${useId().replace(/[^a-zA-Z0-9]/g, "")}`;
  const body = paint(color, "#7048e8");
  const line = mix(body, INK, 0.42);
  const skin = mix(SKIN, body, 0.04);
  const arms = ARMS[pose];
  const folded = pose === "sleeping" || pose === "waiting";
  return (
    <svg className="fairy-art" data-pose={pose} viewBox="-8 -16 116 116" aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id={`${id}-wing`} x1="1" y1="0.8" x2="0" y2="0">
          <stop offset="0" stopColor={mix(body, "#ffffff", 0.55)} stopOpacity="0.85" />
          <stop offset="0.6" stopColor={mix(body, "#ffffff", 0.82)} stopOpacity="0.82" />
          <stop offset="1" stopColor="#e7fbff" stopOpacity="0.9" />
        </linearGradient>
        <linearGradient id={`${id}-dress`} x1="0.2" y1="0" x2="0.7" y2="1">
          <stop offset="0" stopColor={mix(body, "#ffffff", 0.22)} />
          <stop offset="1" stopColor={body} />
        </linearGradient>
        <radialGradient id={`${id}-glow`}>
          <stop offset="0" stopColor={mix(body, "#fff3bf", 0.6)} stopOpacity="0.55" />
          <stop offset="1" stopColor={mix(body, "#fff3bf", 0.6)} stopOpacity="0" />
        </radialGradient>
      </defs>

      <circle className="fairy-glow" cx="50" cy="52" r="48" fill={`url(#${id}-glow)`} />
      <Wings tint={body} id={id} />

      <g className="fairy-legs" stroke={SKIN_LINE} strokeWidth="1" strokeLinecap="round">
        <path d="M45.5 84 44.5 93M54.5 84 55.5 93" stroke={SKIN_LINE} strokeWidth="5.6" />
        <path d="M45.5 84 44.5 93M54.5 84 55.5 93" stroke={skin} strokeWidth="3.8" />
        <path d="M39.5 97.2Q40.5 92 46.8 92.4L47 97.2ZM60.5 97.2Q59.5 92 53.2 92.4L53 97.2Z" fill={line} stroke="none" />
      </g>

      {!folded && <Arm d={arms.left} skin={skin} />}

      <path
        d="M50 55C41.5 57 35.5 74 32 83.5 35.5 88.5 39.5 87.5 41 84.5 43.5 89.5 48 89.5 50 86 52 89.5 56.5 89.5 59 84.5 60.5 87.5 64.5 88.5 68 83.5 64.5 74 58.5 57 50 55Z"
        fill={`url(#${id}-dress)`}
        stroke={line}
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
      <path d="M42 72Q50 76.5 58 72" fill="none" stroke={mix(body, "#ffffff", 0.45)} strokeWidth="1.8" strokeLinecap="round" />

      <g className="fairy-head">
        <path
          d="M33.5 44C26.5 42.5 22 36 20.5 29.5 27.5 30 33 33.5 35 37.5ZM66.5 44C73.5 42.5 78 36 79.5 29.5 72.5 30 67 33.5 65 37.5Z"
          fill={skin}
          stroke={SKIN_LINE}
          strokeWidth="1.4"
          strokeLinejoin="round"
        />
        <circle cx="50" cy="38" r="19" fill={skin} stroke={SKIN_LINE} strokeWidth="1.4" />
        <circle cx="37.8" cy="46" r="3.4" fill="#ff8fa3" opacity="0.45" />
        <circle cx="62.2" cy="46" r="3.4" fill="#ff8fa3" opacity="0.45" />
        <FairyFace pose={pose} expression={expression} />
        <FairyHat hat={hat} color={paint(hatColor, "#2f9e44")} />
      </g>

      <g className="fairy-arm">
        {arms.wand && (
          <g transform={`translate(${arms.wand.x} ${arms.wand.y}) rotate(${arms.wand.turn})`}>
            <path d="M0 5V-15" stroke="#8a5a35" strokeWidth="2.4" strokeLinecap="round" />
            <g transform="translate(0 -18)">
              <path className="fairy-star" d={STAR} fill="#ffe066" stroke="#c98a00" strokeWidth="1.1" strokeLinejoin="round" />
              <g className="fairy-sparks" fill="#ffd43b">
                <path d={SPARK} transform="translate(9 -7) scale(.9)" />
                <path d={SPARK} transform="translate(-10 -4) scale(.7)" />
                <path d={SPARK} transform="translate(3 -13) scale(.6)" />
              </g>
            </g>
          </g>
        )}
        {folded && <Arm d={arms.left} skin={skin} />}
        <Arm d={arms.right} skin={skin} />
      </g>
      <Extras pose={pose} />
    </svg>
  );
});
