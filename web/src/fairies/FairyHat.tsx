import { mix } from "./paint";

interface HatProps {
  hat: string;
  color: string;
}

const INK = "#33263d";

/** What a fairy wears, drawn to sit on a head of radius 19 around (50, 38). */
export function FairyHat({ hat, color }: HatProps) {
  const dark = mix(color, INK, 0.32);
  const light = mix(color, "#ffffff", 0.38);
  const line = { stroke: dark, strokeWidth: 1.6, strokeLinejoin: "round", strokeLinecap: "round" } as const;

  switch (hat) {
    case "top":
      return (
        <g className="fairy-hat" transform="rotate(-6 50 22)">
          <path d="M37.5 22 39 -2 Q50 -5.5 61 -2 L62.5 22Z" fill={color} {...line} />
          <path d="M38 14.5 Q50 18 62 14.5 L62.4 20 Q50 23.5 37.7 20Z" fill={light} />
          <path d="M43 1 42.3 12" stroke={light} strokeWidth="2.4" strokeLinecap="round" fill="none" />
          <ellipse cx="50" cy="22.5" rx="20" ry="4.2" fill={color} {...line} />
        </g>
      );
    case "pointy":
      return (
        <g className="fairy-hat">
          <path d="M34.5 23.5C41 12 45 1 59 -12 58.5 0 61 12 65.5 23.5Z" fill={color} {...line} />
          <path d="M36.6 19.5Q50 24.5 63.8 19.5L65.5 23.5H34.5Z" fill={light} />
          <path d="M52 4l1.5 3.1 3.4.4-2.5 2.4.7 3.4-3.1-1.7-3 1.7.6-3.4-2.5-2.4 3.4-.4z" fill="#ffe066" />
          <ellipse cx="50" cy="24" rx="22.5" ry="4.2" fill={color} {...line} />
        </g>
      );
    case "antenna":
      return (
        <g className="fairy-hat fairy-antennae" fill="none">
          <path d="M44 20.5C43 12 40 8 34.5 4.5" {...line} strokeWidth="2.2" />
          <path d="M56 20.5C57 12 60 8 65.5 4.5" {...line} strokeWidth="2.2" />
          <circle cx="33.5" cy="3.5" r="4.6" fill={color} {...line} />
          <circle cx="66.5" cy="3.5" r="4.6" fill={color} {...line} />
          <circle cx="32.2" cy="2.2" r="1.3" fill={light} />
          <circle cx="65.2" cy="2.2" r="1.3" fill={light} />
        </g>
      );
    case "spiky":
      return (
        <path
          className="fairy-hat"
          d="M30.5 38 25 23 33.5 25.5 32.5 11 41.5 17.5 47 2.5 53.5 16 63.5 7.5 64 22.5 74.5 20 69.5 38C68 31 65 27.5 60 27 57 30 53 28 50 30.5 46 28 42.5 31 39 28 34 30 31.5 33 30.5 38Z"
          fill={color}
          {...line}
        />
      );
    case "hair":
      return (
        <g className="fairy-hat">
          <circle cx="50" cy="12.5" r="7.5" fill={color} {...line} />
          <path d="M46.5 9.5Q50 7 53.5 9.5" fill="none" stroke={light} strokeWidth="1.6" strokeLinecap="round" />
          <path d="M30 50C22 12 78 12 70 50 71 40 67.5 31.5 60 27.5 53 33 42 34.5 35.5 33 32 37 31 43 30 50Z" fill={color} {...line} />
          <path d="M37 25Q43 20.5 50 20.5" fill="none" stroke={light} strokeWidth="2" strokeLinecap="round" />
        </g>
      );
    case "ears":
      return (
        <g className="fairy-hat">
          <path d="M33 27.5C29 18 29.5 8 32 2 38.5 5.5 44.5 12 47 19.5 41.5 20 36.5 23 33 27.5Z" fill={color} {...line} />
          <path d="M67 27.5C71 18 70.5 8 68 2 61.5 5.5 55.5 12 53 19.5 58.5 20 63.5 23 67 27.5Z" fill={color} {...line} />
          <path d="M35 22C32.8 16 33 11 34 7.5 38 10.5 41 14 42.5 18 39.5 18.6 37 20 35 22Z" fill="#ffc9d6" />
          <path d="M65 22C67.2 16 67 11 66 7.5 62 10.5 59 14 57.5 18 60.5 18.6 63 20 65 22Z" fill="#ffc9d6" />
        </g>
      );
    case "propeller":
      return (
        <g className="fairy-hat">
          <path d="M50 14V4.5" {...line} strokeWidth="2.4" />
          <g className="fairy-propeller">
            <ellipse cx="40.5" cy="3.5" rx="9" ry="3" fill="#ff8787" stroke={dark} strokeWidth="1.2" />
            <ellipse cx="59.5" cy="3.5" rx="9" ry="3" fill="#74c0fc" stroke={dark} strokeWidth="1.2" />
          </g>
          <circle cx="50" cy="3.5" r="2.4" fill="#ffe066" stroke={dark} strokeWidth="1.2" />
          <path d="M30.5 30C30 9 70 9 69.5 30 60 25.5 40 25.5 30.5 30Z" fill={color} {...line} />
          <path d="M43.5 26.7C43 21 45 16.5 50 14.2 55 16.5 57 21 56.5 26.7 52 26.3 48 26.3 43.5 26.7Z" fill={light} />
        </g>
      );
    default:
      // "bald", and any hat a newer server may know: a proud, shiny head.
      return (
        <path
          className="fairy-hat"
          d="M40 25.5Q45 21.5 51 22"
          fill="none"
          stroke="#ffffff"
          strokeOpacity="0.8"
          strokeWidth="2.6"
          strokeLinecap="round"
        />
      );
  }
}
