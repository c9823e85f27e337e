import { useEffect, useRef, type RefObject } from "react";
import type { CanvasHandle } from "./types";

/** A view that has not moved for so long has come to rest. */
const REST_MS = 200;

/** Tells when the view begins to move, and when it has come to rest again or nobody listens any more. */
export function onMotion(handle: CanvasHandle, tell: (moving: boolean) => void): () => void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  const leave = handle.onViewport(() => {
    if (rest === undefined) tell(true);
    clearTimeout(rest);
    rest = setTimeout(() => {
      rest = undefined;
      tell(false);
    }, REST_MS);
  });
  return () => {
    if (rest !== undefined) tell(false);
    clearTimeout(rest);
    leave();
  };
}

/** Whether the view moves now, without rendering anything when that changes. */
export function useMotion(handle: CanvasHandle, tell: (moving: boolean) => void = () => {}): RefObject<boolean> {
  const moving = useRef(false);
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(
    () =>
      onMotion(handle, (now) => {
        moving.current = now;
        latest.current(now);
      }),
    [handle],
  );
  return moving;
}
