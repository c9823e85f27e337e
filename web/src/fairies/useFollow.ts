import { useEffect, useRef } from "react";
import type { CanvasHandle } from "../canvas";
import type { Point } from "../sync";

/** Close enough to be the move we made ourselves. */
const SAME = 2;

/** Keeps a moving point in the middle of the view, until the person moves the view themselves. */
export function useFollow(handle: CanvasHandle | null, point: Point | null, onEnd: () => void): void {
  const end = useRef(onEnd);
  end.current = onEnd;
  const wanted = useRef<Point | null>(null);
  const x = point?.x;
  const y = point?.y;
  const following = point !== null;

  useEffect(() => {
    if (!handle || x === undefined || y === undefined) return;
    wanted.current = { x, y };
    handle.center({ x, y });
  }, [handle, x, y]);

  useEffect(() => {
    if (!handle || !following) return;
    return handle.onViewport(({ x, y, w, h }) => {
      const at = wanted.current;
      if (at && (Math.abs(x + w / 2 - at.x) > SAME || Math.abs(y + h / 2 - at.y) > SAME)) end.current();
    });
  }, [handle, following]);
}
