import type { ReactNode } from "react";
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import type { Blobs } from "../api/blobs";
import type { PageSession, Point, Rect, Unsubscribe } from "../sync";

export interface ElementSummary {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Radians, about the middle. */
  angle: number;
  type: string;
  /** Of lines and arrows, from `x`, `y`. */
  points?: readonly Point[];
  /** Of a text that is a label, what it is in or on. */
  containerId?: string;
  /** The text bound to a shape or arrow. */
  labelId?: string;
  /** The text itself of a text element; of a shape or arrow, its bound label's. */
  label?: string;
}

/** An element as far as one may change it for a picture. */
export interface PictureElement {
  id: string;
  [property: string]: unknown;
}

/** What the rest of the studio may know and do about the canvas on screen. */
export interface CanvasHandle {
  /** What is visible, in scene coordinates. */
  viewport(): Rect;
  onViewport(cb: (viewport: Rect) => void): Unsubscribe;
  /** Scene coordinates → pixels from the overlay's (= canvas's) top left corner. */
  toScreen(point: Point): Point;
  /** Pixels of the window → scene coordinates. */
  toScene(client: Point): Point;
  zoom(): number;
  /** Moves the view so that a point is in its middle, at once. */
  center(point: Point): void;
  /** What a person draws a selection around, while they do; null when they let go. */
  onMarquee(cb: (area: Rect | null) => void): Unsubscribe;
  /** Ids of the selected elements, without bound labels. */
  selection(): string[];
  onSelection(cb: (ids: string[]) => void): Unsubscribe;
  /** Called often while anything on the page changes: do the work once a frame. */
  onScene(cb: () => void): Unsubscribe;
  scrollTo(target: Rect | string[]): void;
  /** Whether nothing is on the page; quick to ask, however much there is. */
  isEmpty(): boolean;
  /** All elements on the page. */
  ids(): string[];
  element(id: string): ElementSummary | undefined;
  /** An element's own properties, as the editor holds them. */
  properties(id: string): Readonly<Record<string, unknown>>;
  /** A picture of the part of the page around some elements, of the scene as `change` makes it; null if that is empty. */
  picture(change: (scene: readonly PictureElement[]) => PictureElement[], around: readonly string[]): Promise<Blob | null>;
  /** On a text page: where a comment belongs, by the words that it is about or else its block. */
  anchor?(comment: string, element: string | null): Point | null;
  /** On a text page: the block that something is in, such as a table's cell. */
  ownerOf?(id: string): string;
  /** The editor itself; a text page has another. */
  api?: ExcalidrawImperativeAPI;
}

export interface CanvasPageProps {
  session: PageSession;
  pageName: string;
  blobs: Blobs;
  onProblem(message: string): void;
  readOnly: boolean;
  theme?: "light" | "dark";
  onReady(handle: CanvasHandle): void;
  /** Overlay in screen space on top of the canvas; give `pointer-events: auto` to what wants the mouse. */
  children?: ReactNode;
}
