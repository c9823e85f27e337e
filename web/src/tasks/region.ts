import type { Rect } from "../sync";

/** What a handle of a task's area does: moves all of it, or its far corner. */
export type Grip = "move" | "size";

/** No area is smaller: a fairy needs some room. */
export const SMALLEST = 80;

/** An area whose handle was dragged so far, in page units. */
export function dragged({ x, y, w, h }: Rect, grip: Grip, dx: number, dy: number): Rect {
  const whole = (value: number) => Math.round(value);
  if (grip === "move") return { x: whole(x + dx), y: whole(y + dy), w, h };
  return { x, y, w: whole(Math.max(SMALLEST, w + dx)), h: whole(Math.max(SMALLEST, h + dy)) };
}

/** The same with an arrow key; nothing for any other key. */
export function nudged(area: Rect, grip: Grip, key: string, far: boolean): Rect | null {
  const step = far ? 100 : 20;
  switch (key) {
    case "ArrowLeft":
      return dragged(area, grip, -step, 0);
    case "ArrowRight":
      return dragged(area, grip, step, 0);
    case "ArrowUp":
      return dragged(area, grip, 0, -step);
    case "ArrowDown":
      return dragged(area, grip, 0, step);
    default:
      return null;
  }
}
