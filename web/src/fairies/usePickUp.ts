import { useRef, type PointerEvent } from "react";
import type { CanvasHandle } from "../canvas";
import type { Point } from "../sync";
import { velocity, type Sample } from "./throwing";

interface PickUp {
  handle: CanvasHandle;
  /** Nobody may move it: it is only clicked. */
  fixed: boolean;
  place(): Point;
  carry(to: Point): void;
  letGo(speed: Point): Point;
  onPut(to: Point): void;
}

/** A hand that trembles this many pixels still clicks. */
const TREMBLE = 5;

/** Pointer handlers of something that can be dragged and thrown; `moved` tells a click from the end of a drag. */
export function usePickUp({ handle, fixed, place, carry, letGo, onPut }: PickUp) {
  const hand = useRef<{ id: number; from: Point; offset: Point; samples: Sample[]; moved: boolean } | null>(null);
  const dragged = useRef(false);

  const at = (event: PointerEvent) => handle.toScene({ x: event.clientX, y: event.clientY });

  return {
    /** Whether the click that follows was the end of a drag; asked once. */
    moved: () => {
      const was = dragged.current;
      dragged.current = false;
      return was;
    },
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        dragged.current = false;
        if (fixed || event.button !== 0) return;
        const from = at(event);
        const here = place();
        const offset = { x: here.x - from.x, y: here.y - from.y };
        hand.current = { id: event.pointerId, from: { x: event.clientX, y: event.clientY }, offset, samples: [], moved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const held = hand.current;
        if (!held || held.id !== event.pointerId) return;
        if (Math.hypot(event.clientX - held.from.x, event.clientY - held.from.y) > TREMBLE) held.moved = true;
        if (!held.moved) return;
        const point = at(event);
        const to = { x: point.x + held.offset.x, y: point.y + held.offset.y };
        held.samples = [...held.samples.slice(-11), { ...to, at: event.timeStamp }];
        carry(to);
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const held = hand.current;
        hand.current = null;
        if (!held?.moved) return;
        dragged.current = true;
        const last = held.samples.at(-1);
        // The hand may have come to rest before it let go.
        onPut(letGo(velocity(last ? [...held.samples, { ...last, at: event.timeStamp }] : [])));
      },
      onPointerCancel: () => {
        const held = hand.current;
        hand.current = null;
        if (held?.moved) onPut(letGo({ x: 0, y: 0 }));
      },
    },
  };
}
