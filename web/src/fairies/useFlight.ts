import { useEffect, useRef, type RefObject } from "react";
import { useReducedMotion } from "../app/useMedia";
import type { CanvasHandle } from "../canvas";
import type { Point } from "../sync";
import { along, lean, planFlight, spriteSize, type Flight } from "./flight";

interface Body {
  /** Moved over the page by its transform. */
  root: RefObject<HTMLDivElement | null>;
  /** Turned into the wind and mirrored. */
  figure: RefObject<HTMLSpanElement | null>;
}

/**
 * Keeps one sprite over its place on the page: glued to it while people pan
 * and zoom, flying when the place changes. It writes styles by hand, because
 * a React render per frame would be paid by the canvas beneath.
 */
export function useFlight(handle: CanvasHandle, target: Point, flip: boolean): Body {
  const root = useRef<HTMLDivElement>(null);
  const figure = useRef<HTMLSpanElement>(null);
  const here = useRef<Point | null>(null);
  const flight = useRef<Flight | null>(null);
  const frame = useRef(0);
  const reduced = useReducedMotion();
  const { x, y } = target;

  const place = useRef<(at: Point, heading: Point) => void>(() => {});
  place.current = (at, heading) => {
    here.current = at;
    const screen = handle.toScreen(at);
    const size = spriteSize(handle.zoom());
    const flying = heading.x !== 0 || heading.y !== 0;
    if (root.current) {
      root.current.style.transform = `translate3d(${screen.x.toFixed(2)}px, ${screen.y.toFixed(2)}px, 0)`;
      root.current.style.setProperty("--fairy-size", `${size.toFixed(2)}px`);
      root.current.toggleAttribute("data-flying", flying);
    }
    if (figure.current) {
      const mirrored = Math.abs(heading.x) > 1 ? heading.x < 0 : flip;
      figure.current.style.transform = `rotate(${lean(heading).toFixed(2)}deg) scaleX(${mirrored ? -1 : 1})`;
    }
  };

  useEffect(() => {
    const still = { x: 0, y: 0 };
    const to = { x, y };
    cancelAnimationFrame(frame.current);
    if (!here.current || reduced) {
      flight.current = null;
      place.current(to, still);
      return;
    }
    flight.current = planFlight(here.current, to, performance.now(), flight.current ? "flying" : "rest");
    const step = (now: number) => {
      if (!flight.current) return;
      const moment = along(flight.current, now);
      place.current(moment.at, moment.heading);
      if (moment.done) flight.current = null;
      else frame.current = requestAnimationFrame(step);
    };
    frame.current = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame.current);
  }, [x, y, reduced, handle]);

  useEffect(() => {
    const stay = () => {
      // While it flies the next frame will place it; only a resting one must follow by itself.
      if (!flight.current && here.current) place.current(here.current, { x: 0, y: 0 });
    };
    stay();
    return handle.onViewport(stay);
  }, [handle, flip]);

  return { root, figure };
}
