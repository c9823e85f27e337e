import type { EphemeralStore, LoroDoc } from "loro-crdt";

export type SyncState = "connecting" | "saved" | "saving" | "offline" | "refused" | "closed";

/** What a person may know about their own changes. */
export interface SyncStatus {
  state: SyncState;
  /** Local changes that the server has not acknowledged. */
  waiting: number;
  permission: "read" | "write";
  message?: string;
}

/** Under whom changes are made: they are sent by the same person only, signed in the same way. */
export interface Author {
  subject: string;
  name: string;
  /** The server's id of the session; another one of the same person may have other rights. */
  session: string;
}

export interface Identity extends Author {
  /** `#rrggbb` */
  color: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** One session's presence, a person's or a fairy's; all in page coordinates. */
export interface Presence {
  subject: string;
  name: string;
  kind: "person" | "fairy";
  color: string;
  icon?: string;
  cursor: Point | null;
  selection: string[];
  viewport: Rect | null;
  activity: "generating" | "idle" | "awaiting-tool-result";
  /** On a text page: where its caret is, or what it has selected; null: nowhere. */
  caret?: { anchor: { block: string; at?: string }; head: { block: string; at?: string } } | null;
  /** Fairies only. */
  fairy?: string;
  mode?: string;
  position?: Point;
  pose?: "idle" | "thinking" | "working" | "celebrating" | "sleeping" | "waiting" | "soaring";
  expression?: string;
  flip?: boolean;
  hat?: string;
  hatColor?: string;
  doing?: string;
}

/** A refused change, kept for the person: what it would have been, as plain JSON. */
export interface RefusedCopy {
  pageId: string;
  reason: string;
  at: string;
  /** The changed elements (id → properties), as they were in the refused document. */
  elements: Record<string, Record<string, unknown>>;
}

export type Unsubscribe = () => void;

export type { EphemeralStore, LoroDoc };
