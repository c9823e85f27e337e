import { viewportCoordsToSceneCoords } from "@excalidraw/common";
import type { ExcalidrawElement } from "@excalidraw/element/types";
import type { AppState, ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import type { Point, Rect } from "../sync";
import type { CanvasHandle, ElementSummary, PictureElement } from "./types";

type View = Pick<AppState, "scrollX" | "scrollY" | "width" | "height"> & { zoom: number };

/** The studio's view of the canvas. Remembers what it last heard, so that it still answers when the editor is gone. */
export class Handle implements CanvasHandle {
  private view: View;
  private selected: string[] = [];
  private readonly viewportListeners = new Set<(viewport: Rect) => void>();
  private readonly marqueeListeners = new Set<(area: Rect | null) => void>();
  private marquee: string | null = null;
  private readonly sceneListeners = new Set<() => void>();
  private readonly selectionListeners = new Set<(ids: string[]) => void>();

  constructor(readonly api: ExcalidrawImperativeAPI) {
    this.view = viewOf(api.getAppState());
  }

  /** Tells whoever listens, if something they listen for has changed. */
  refresh(state: AppState): void {
    const view = viewOf(state);
    if (JSON.stringify(view) !== JSON.stringify(this.view)) {
      this.view = view;
      this.viewportListeners.forEach((cb) => cb(this.viewport()));
    }
    this.refreshMarquee(state.selectionElement);
    const selected = this.selectionIn(state);
    if (selected.join() !== this.selected.join()) {
      this.selected = selected;
      this.selectionListeners.forEach((cb) => cb([...selected]));
    }
  }

  private refreshMarquee(area: AppState["selectionElement"]): void {
    const rect = area && { x: area.x, y: area.y, w: area.width, h: area.height };
    const text = rect && JSON.stringify(rect);
    if (text !== this.marquee) {
      this.marquee = text;
      this.marqueeListeners.forEach((cb) => cb(rect));
    }
  }

  /** Something on the page may be different. */
  sceneChanged(): void {
    this.sceneListeners.forEach((cb) => cb());
  }

  onScene(cb: () => void): () => void {
    this.sceneListeners.add(cb);
    return () => this.sceneListeners.delete(cb);
  }

  viewport(): Rect {
    const { scrollX, scrollY, width, height, zoom } = this.view;
    return { x: -scrollX, y: -scrollY, w: width / zoom, h: height / zoom };
  }

  onViewport(cb: (viewport: Rect) => void): () => void {
    this.viewportListeners.add(cb);
    return () => this.viewportListeners.delete(cb);
  }

  toScreen({ x, y }: Point): Point {
    return { x: (x + this.view.scrollX) * this.view.zoom, y: (y + this.view.scrollY) * this.view.zoom };
  }

  toScene({ x, y }: Point): Point {
    return viewportCoordsToSceneCoords({ clientX: x, clientY: y }, this.api.getAppState());
  }

  center({ x, y }: Point): void {
    const { width, height, zoom } = this.view;
    if (!this.api.isDestroyed) {
      this.api.updateScene({ appState: { scrollX: width / zoom / 2 - x, scrollY: height / zoom / 2 - y } });
    }
  }

  onMarquee(cb: (area: Rect | null) => void): () => void {
    this.marqueeListeners.add(cb);
    return () => this.marqueeListeners.delete(cb);
  }

  zoom(): number {
    return this.view.zoom;
  }

  selection(): string[] {
    return [...this.selected];
  }

  onSelection(cb: (ids: string[]) => void): () => void {
    this.selectionListeners.add(cb);
    return () => this.selectionListeners.delete(cb);
  }

  scrollTo(target: Rect | string[]): void {
    const where = Array.isArray(target)
      ? target.map((id) => this.find(id)).filter((element) => element !== undefined)
      : { x: target.x, y: target.y, width: target.w, height: target.h };
    if (!this.api.isDestroyed && !(Array.isArray(where) && where.length === 0)) {
      this.api.setViewport({ target: where, fit: "scale-down", animation: true });
    }
  }

  isEmpty(): boolean {
    return this.api.isDestroyed || this.api.getSceneElements().length === 0;
  }

  ids(): string[] {
    return this.api.isDestroyed ? [] : this.api.getSceneElements().map(({ id }) => id);
  }

  element(id: string): ElementSummary | undefined {
    const element = this.find(id);
    if (!element) {
      return undefined;
    }
    const { x, y, width, height, type, angle } = element;
    const labelId = element.boundElements?.find((bound) => bound.type === "text")?.id;
    const text = type === "text" ? element : labelId ? this.find(labelId) : undefined;
    const label = text?.type === "text" ? text.originalText : undefined;
    return {
      x,
      y,
      width,
      height,
      angle,
      type,
      ...("points" in element ? { points: element.points.map(([x, y]) => ({ x, y })) } : {}),
      ...(element.type === "text" && element.containerId ? { containerId: element.containerId } : {}),
      ...(labelId === undefined ? {} : { labelId }),
      ...(label === undefined ? {} : { label }),
    };
  }

  properties(id: string): Readonly<Record<string, unknown>> {
    return (this.find(id) ?? {}) as Readonly<Record<string, unknown>>;
  }

  async picture(change: (scene: readonly PictureElement[]) => PictureElement[], around: readonly string[]): Promise<Blob | null> {
    const { pictureOf } = await import("./pictureOf");
    return this.api.isDestroyed ? null : pictureOf(this.api, change, around);
  }

  private find(id: string): ExcalidrawElement | undefined {
    if (this.api.isDestroyed) {
      return undefined;
    }
    const element = this.api.getSceneElementsMapIncludingDeleted().get(id) as ExcalidrawElement | undefined;
    return element?.isDeleted ? undefined : element;
  }

  private selectionIn(state: AppState): string[] {
    return Object.keys(state.selectedElementIds)
      .filter((id) => {
        const element = this.find(id);
        return element && !(element.type === "text" && element.containerId);
      })
      .sort();
  }
}

function viewOf({ scrollX, scrollY, width, height, zoom }: AppState): View {
  return { scrollX, scrollY, width, height, zoom: zoom.value };
}
