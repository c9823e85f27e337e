import type { Node } from "prosemirror-model";
import type { EditorView } from "prosemirror-view";
import type { CanvasHandle, ElementSummary } from "../canvas/types";
import type { Point, Rect } from "../sync";
import { inner } from "./places";

/** How far from the column, and below the line, a comment's face is. */
const PIN = 30;

/** The studio's view of a text page: blocks stand where shapes would, in pixels from the page's own top left corner. */
export class TextHandle implements CanvasHandle {
  private readonly viewportListeners = new Set<(viewport: Rect) => void>();
  private readonly sceneListeners = new Set<() => void>();
  private readonly selectionListeners = new Set<(ids: string[]) => void>();
  private selected: string[] = [];
  private owners: { doc: Node; all: Map<string, string> } | null = null;
  readonly api = undefined;

  constructor(
    private readonly view: EditorView,
    private readonly scroller: HTMLElement,
  ) {}

  scrolled(): void {
    this.viewportListeners.forEach((cb) => cb(this.viewport()));
  }

  sceneChanged(): void {
    this.sceneListeners.forEach((cb) => cb());
  }

  select(ids: string[]): void {
    if (ids.join() === this.selected.join()) return;
    this.selected = ids;
    this.selectionListeners.forEach((cb) => cb([...ids]));
  }

  viewport(): Rect {
    const { scrollLeft: x, scrollTop: y, clientWidth: w, clientHeight: h } = this.scroller;
    return { x, y, w, h };
  }

  onViewport(cb: (viewport: Rect) => void) {
    this.viewportListeners.add(cb);
    return () => this.viewportListeners.delete(cb);
  }

  toScreen({ x, y }: Point): Point {
    return { x: x - this.scroller.scrollLeft, y: y - this.scroller.scrollTop };
  }

  toScene({ x, y }: Point): Point {
    const frame = this.scroller.getBoundingClientRect();
    return { x: x - frame.left + this.scroller.scrollLeft, y: y - frame.top + this.scroller.scrollTop };
  }

  zoom(): number {
    return 1;
  }

  center({ x, y }: Point): void {
    this.scroller.scrollTo({ left: x - this.scroller.clientWidth / 2, top: y - this.scroller.clientHeight / 2 });
  }

  onMarquee() {
    return () => {};
  }

  selection(): string[] {
    return [...this.selected];
  }

  onSelection(cb: (ids: string[]) => void) {
    this.selectionListeners.add(cb);
    return () => this.selectionListeners.delete(cb);
  }

  onScene(cb: () => void) {
    this.sceneListeners.add(cb);
    return () => this.sceneListeners.delete(cb);
  }

  scrollTo(target: Rect | string[]): void {
    const first = Array.isArray(target)
      ? target.map((id) => this.element(id)).find((one) => one !== undefined)
      : { x: target.x, y: target.y, height: target.h };
    if (first) this.scroller.scrollTo({ top: Math.max(0, first.y - 80), behavior: "smooth" });
  }

  /** A page of one empty line looks as empty as one of none. */
  isEmpty(): boolean {
    const { doc } = this.view.state;
    return doc.childCount === 0 || (doc.childCount === 1 && doc.child(0).isTextblock && doc.child(0).content.size === 0);
  }

  ids(): string[] {
    const ids: string[] = [];
    this.view.state.doc.forEach((node) => ids.push(node.attrs.id));
    return ids;
  }

  element(id: string): ElementSummary | undefined {
    const dom = this.dom(id);
    if (!dom) return undefined;
    const rect = dom.getBoundingClientRect();
    const { x, y } = this.toScene({ x: rect.left, y: rect.top });
    return { x, y, width: rect.width, height: rect.height, angle: 0, type: "block", label: this.words(id) };
  }

  properties(id: string): Readonly<Record<string, unknown>> {
    return { originalText: this.words(id) };
  }

  /** Beside the column, level with the words. */
  anchor(comment: string, element: string | null): Point | null {
    const words = this.view.dom.querySelector(`[data-comment="${CSS.escape(comment)}"]`);
    const at = words ?? (element === null ? null : this.dom(element));
    if (!at) return null;
    const { top } = at.getBoundingClientRect();
    const { right } = this.view.dom.getBoundingClientRect();
    const { x, y } = this.toScene({ x: right, y: top });
    return { x: Math.min(x + PIN, this.scroller.scrollLeft + this.scroller.clientWidth - PIN), y: y + 1.6 * PIN };
  }

  ownerOf(id: string): string {
    const { doc } = this.view.state;
    if (this.owners?.doc !== doc) {
      const all = new Map<string, string>();
      doc.forEach((node) => inner(node).forEach((one) => all.set(one, node.attrs.id)));
      this.owners = { doc, all };
    }
    return this.owners.all.get(id) ?? id;
  }

  picture(): Promise<Blob | null> {
    return Promise.resolve(null);
  }

  private words(id: string): string {
    const block = this.ownerOf(id);
    let words = "";
    this.view.state.doc.forEach((node) => {
      if (node.attrs.id === block) words = node.textContent;
    });
    return words;
  }

  private dom(id: string): HTMLElement | undefined {
    return this.view.dom.querySelector<HTMLElement>(`[data-block="${CSS.escape(this.ownerOf(id))}"]`) ?? undefined;
  }
}
