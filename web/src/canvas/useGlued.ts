import { useLayoutEffect, useRef, type RefObject } from "react";
import type { CanvasHandle } from "./types";

/**
 * Keeps an element's corner at the page's origin. What is inside stands at page coordinates times the zoom, so panning
 * writes one transform, which the browser carries out without laying out or painting anything.
 */
export function useGlued<E extends HTMLElement | SVGElement>(handle: CanvasHandle): RefObject<E | null> {
  const glued = useRef<E>(null);
  useLayoutEffect(() => {
    const place = () => {
      const { x, y } = handle.toScreen({ x: 0, y: 0 });
      if (glued.current) glued.current.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
    };
    place();
    return handle.onViewport(place);
  }, [handle]);
  return glued;
}

/** Calls `scale` with the zoom now and whenever it has changed, never for panning alone. */
export function onZoom(handle: CanvasHandle, scale: (zoom: number) => void): () => void {
  let last = handle.zoom();
  scale(last);
  return handle.onViewport(() => {
    const zoom = handle.zoom();
    if (zoom === last) return;
    last = zoom;
    scale(zoom);
  });
}
