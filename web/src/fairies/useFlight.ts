import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { useReducedMotion } from "../app/useMedia";
import type { CanvasHandle } from "../canvas";
import type { Point } from "../sync";
import { along, lean, planFlight, spriteSize } from "./flight";
import { roomAround } from "./room";
import { glide, landing, thrown } from "./throwing";

interface Body {
  /** Moved over the page by its transform. */
  root: RefObject<HTMLDivElement | null>;
  /** Turned into the wind and mirrored. */
  figure: RefObject<HTMLSpanElement | null>;
  /** Where it is now, in page coordinates. */
  place(): Point;
  /** Takes it in hand: until it is let go it goes where the hand goes. */
  carry(to: Point): void;
  /** Lets it go with some speed; answers where it will come to rest. */
  letGo(speed: Point): Point;
  /** Back to where it belongs. */
  goHome(): void;
}

type Motion = (now: number) => { at: Point; heading: Point; done: boolean };

/** Page units a millisecond, as a flight's heading is told. */
const THROWN_HEADING = 300;

/** A view that has not moved for so long is at rest. */
const VIEW_RESTS_MS = 150;

/** Farther out of sight than this, in pixels, nothing of a sprite or of what it says shows. */
const REACH = 140;

/**
 * Keeps one sprite over its place on the page, in a layer that is glued to the
 * page: flying when the place changes, in a hand or thrown by it. It writes
 * styles by hand, and only those that differ, because a React render or a
 * layout per frame would be paid by the canvas beneath. While the view moves
 * nobody flies: each sprite is where its fairy is, and moves with the page.
 */
export function useFlight(handle: CanvasHandle, moving: RefObject<boolean>, target: Point, flip: boolean): Body {
  const root = useRef<HTMLDivElement>(null);
  const figure = useRef<HTMLSpanElement>(null);
  const here = useRef<Point | null>(null);
  const motion = useRef<Motion | null>(null);
  const held = useRef(false);
  const frame = useRef(0);
  const [home, setHome] = useState(0);
  const reduced = useReducedMotion();
  const { x, y } = target;

  const written = useRef({ place: "", size: "", turn: "" });
  const show = useRef<(at: Point, heading: Point) => void>(() => {});
  show.current = (at, heading) => {
    here.current = at;
    if (!root.current || !figure.current) return;
    const zoom = handle.zoom();
    const place = `translate3d(${(at.x * zoom).toFixed(2)}px, ${(at.y * zoom).toFixed(2)}px, 0)`;
    const size = `${spriteSize(zoom).toFixed(2)}px`;
    const mirrored = Math.abs(heading.x) > 1 ? heading.x < 0 : flip;
    const turn = `rotate(${lean(heading).toFixed(2)}deg) scaleX(${mirrored ? -1 : 1})`;
    const was = written.current;
    written.current = { place, size, turn };
    if (place !== was.place) root.current.style.transform = place;
    if (size !== was.size) root.current.style.setProperty("--fairy-size", size);
    if (turn !== was.turn) figure.current.style.transform = turn;
    root.current.toggleAttribute("data-flying", heading.x !== 0 || heading.y !== 0);
    root.current.toggleAttribute("data-away", !inReach(handle, at));
  };
  const makeRoom = useCallback(() => {
    if (!root.current || !here.current) return;
    const zoom = handle.zoom();
    const { w, h } = handle.viewport();
    const { shift, top, bottom } = roomAround(handle.toScreen(here.current), { w: w * zoom, h: h * zoom }, spriteSize(zoom));
    root.current.style.setProperty("--fairy-shift", `${shift}px`);
    root.current.toggleAttribute("data-top", top);
    root.current.toggleAttribute("data-bottom", bottom);
  }, [handle]);

  const start = useCallback(
    (next: Motion) => {
      cancelAnimationFrame(frame.current);
      motion.current = next;
      const step = (now: number) => {
        if (!motion.current) return;
        const moment = motion.current(now);
        show.current(moment.at, moment.heading);
        makeRoom();
        if (moment.done) motion.current = null;
        else frame.current = requestAnimationFrame(step);
      };
      frame.current = requestAnimationFrame(step);
    },
    [makeRoom],
  );

  useEffect(() => {
    const to = { x, y };
    if (held.current) return;
    if (!here.current || reduced || moving.current) {
      cancelAnimationFrame(frame.current);
      motion.current = null;
      show.current(to, { x: 0, y: 0 });
      makeRoom();
      return;
    }
    const flight = planFlight(here.current, to, performance.now(), motion.current ? "flying" : "rest");
    start((now) => along(flight, now));
    return () => cancelAnimationFrame(frame.current);
  }, [x, y, home, reduced, handle, moving, start, makeRoom]);

  useEffect(() => {
    let rest = 0;
    const stay = () => {
      // While it flies the next frame will place it; only a resting one must follow by itself.
      if (!motion.current && here.current) show.current(here.current, { x: 0, y: 0 });
      // Its words give way once the view rests: while it moves, nothing of a sprite is touched.
      clearTimeout(rest);
      rest = window.setTimeout(makeRoom, VIEW_RESTS_MS);
    };
    stay();
    const leave = handle.onViewport(stay);
    return () => {
      clearTimeout(rest);
      leave();
    };
  }, [handle, flip, makeRoom]);

  const place = useCallback(() => here.current ?? { x, y }, [x, y]);

  const carry = useCallback(
    (to: Point) => {
      cancelAnimationFrame(frame.current);
      motion.current = null;
      held.current = true;
      const before = here.current ?? to;
      show.current(to, { x: (to.x - before.x) * 40 || 0.01, y: 0 });
      makeRoom();
    },
    [makeRoom],
  );

  const letGo = useCallback(
    (speed: Point) => {
      const from = here.current ?? { x: 0, y: 0 };
      held.current = false;
      const rest = landing(from, speed);
      const time = glide(speed);
      if (reduced || time === 0) {
        show.current(rest, { x: 0, y: 0 });
        makeRoom();
        return rest;
      }
      const began = performance.now();
      start((now) => {
        const ms = now - began;
        if (ms >= time) return { at: rest, heading: { x: 0, y: 0 }, done: true };
        const left = 1 - ms / time;
        const heading = { x: speed.x * THROWN_HEADING * left, y: speed.y * THROWN_HEADING * left };
        return { at: thrown(from, speed, ms), heading, done: false };
      });
      return rest;
    },
    [reduced, start, makeRoom],
  );

  const goHome = useCallback(() => {
    held.current = false;
    setHome((n) => n + 1);
  }, []);

  return { root, figure, place, carry, letGo, goHome };
}

function inReach(handle: CanvasHandle, at: Point): boolean {
  const { x, y, w, h } = handle.viewport();
  const reach = REACH / handle.zoom();
  return at.x > x - reach && at.x < x + w + reach && at.y > y - reach && at.y < y + h + reach;
}
