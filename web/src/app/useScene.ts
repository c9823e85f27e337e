import { useEffect, useReducer } from "react";
import type { CanvasHandle } from "../canvas";

const PAUSE_MS = 250;

/** Renders again when the page's elements have changed: what is counted of them is then true. */
export function useScene(handle: CanvasHandle | null): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!handle) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = handle.onScene(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        again();
      }, PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [handle]);
}
