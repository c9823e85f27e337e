/** Each surface brings its own editor: who opens a text page does not load the canvas, nor the other way round. */
export const surfaces = {
  canvas: () => import("../canvas").then(({ CanvasPage }) => ({ default: CanvasPage })),
  text: () => import("../text/TextPage"),
};

/** Fetches what a kind of page needs ahead of its use; if that fails, using it tries again and says so. */
export function prepare(kind: string | undefined): void {
  if (kind && kind in surfaces) surfaces[kind as keyof typeof surfaces]().catch(() => {});
}
