/**
 * The canvas document: root map `elements`, element id → mergeable map of Excalidraw's properties, one register each,
 * and `originalText` as a mergeable text. What is derived is never stored.
 */
export type Props = Record<string, unknown>;

/** An element as Excalidraw holds it, as far as the adapter needs to know it. */
export interface SceneElement extends Props {
  id: string;
  type: string;
  version: number;
  versionNonce: number;
  updated: number;
  isDeleted: boolean;
  index: string | null;
}

export const ROOT = "elements";
export const TEXT = "originalText";

/** Made up locally, or following from other properties. */
const NOT_STORED = new Set(["id", "version", "versionNonce", "updated", "boundElements", "text"]);

export const isStored = (key: string) => !NOT_STORED.has(key);

/** Where Excalidraw means something by null; elsewhere null in the document reads as a missing property. */
const NULLABLE = new Set([
  "roundness",
  "frameId",
  "link",
  "index",
  "created",
  "startBinding",
  "endBinding",
  "startArrowhead",
  "endArrowhead",
  "fixedSegments",
  "startIsSpecial",
  "endIsSpecial",
  "containerId",
  "baseFontSize",
  "labelPosition",
  "fileId",
  "crop",
  "name",
]);

const BASE: Props = {
  x: 0,
  y: 0,
  width: 0,
  height: 0,
  angle: 0,
  strokeColor: "#1e1e1e",
  backgroundColor: "transparent",
  fillStyle: "solid",
  strokeWidth: 2,
  strokeStyle: "solid",
  roughness: 1,
  opacity: 100,
  groupIds: [],
  frameId: null,
  index: null,
  roundness: null,
  isDeleted: false,
  link: null,
  locked: false,
  created: null,
  // As the editor reads a file without one.
  seed: 1,
};

const LINEAR: Props = { startBinding: null, endBinding: null, startArrowhead: null, endArrowhead: null };

/** Types that the editor can draw, with what they have beyond the base. Anything else is left out of the scene. */
const BY_TYPE: Record<string, Props> = {
  rectangle: {},
  diamond: {},
  ellipse: {},
  stickynote: {},
  embeddable: {},
  iframe: {},
  frame: { name: null },
  magicframe: { name: null },
  text: {
    fontSize: 20,
    fontFamily: 5,
    baseFontSize: null,
    textAlign: "left",
    verticalAlign: "top",
    containerId: null,
    originalText: "",
    autoResize: true,
    lineHeight: 1.25,
    labelPosition: null,
  },
  line: { ...LINEAR, polygon: false },
  arrow: { ...LINEAR, endArrowhead: "arrow", elbowed: false },
  image: { fileId: null, status: "saved", scale: [1, 1], crop: null },
  freedraw: { pressures: [], simulatePressure: true, strokeOptions: { variability: "variable", streamline: 0.5 } },
};

/** Pictures are known by the hash of their bytes, once the server keeps them. */
export const isBlobId = (id: unknown): id is string => typeof id === "string" && /^[0-9a-f]{64}$/.test(id);

/** The element types that the adapter writes and shows. */
export const isKnownType = (type: unknown): type is string => typeof type === "string" && Object.hasOwn(BY_TYPE, type);

const CONTAINERS = new Set(["rectangle", "diamond", "ellipse", "arrow", "stickynote"]);
export const canHoldText = (type: unknown) => CONTAINERS.has(type as string);

const NUMBERS = ["x", "y", "width", "height", "angle"];

/** A stored element with every property that Excalidraw relies on; undefined if it is nothing that can be drawn. */
export function withDefaults(id: string, raw: Props | undefined): Props | undefined {
  if (!raw || !isKnownType(raw.type)) {
    return undefined;
  }
  const out: Props = { ...BASE, ...BY_TYPE[raw.type] };
  for (const [key, value] of Object.entries(raw)) {
    if (isStored(key) && value !== undefined && (value !== null || NULLABLE.has(key))) {
      out[key] = value;
    }
  }
  for (const key of NUMBERS) {
    if (!Number.isFinite(out[key])) {
      out[key] = 0;
    }
  }
  if (raw.type === "line" || raw.type === "arrow" || raw.type === "freedraw") {
    out.points = pointsOf(out);
  }
  if (raw.type === "stickynote") {
    out.baseHeight ??= out.height;
  }
  out.id = id;
  return out;
}

function pointsOf(element: Props): unknown {
  const points = element.points;
  const fine =
    Array.isArray(points) && points.length > 0 && points.every((p) => Array.isArray(p) && Number.isFinite(p[0]) && Number.isFinite(p[1]));
  return fine
    ? points
    : [
        [0, 0],
        [element.width, element.height],
      ];
}

/** Deep equality of plain values; a missing property and null are the same thing. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) {
    return true;
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return false;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => same(v, b[i]));
  }
  const left = a as Props;
  const right = b as Props;
  for (const key of Object.keys(left)) {
    if (!same(left[key], right[key])) {
      return false;
    }
  }
  return Object.keys(right).every((key) => key in left || (right[key] ?? null) === null);
}

/** A value as it may go into the document: plain, without undefined, numbers finite. */
export function plain(value: unknown): unknown {
  if (typeof value === "number") {
    return Number.isFinite(value) ? value : 0;
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value === "object" && value !== null) {
    const out: Props = {};
    for (const [key, v] of Object.entries(value)) {
      if (v !== undefined) {
        out[key] = plain(v);
      }
    }
    return out;
  }
  return value === undefined ? null : value;
}
