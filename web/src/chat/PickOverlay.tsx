import { useEffect, useRef, useState, type PointerEvent } from "react";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import type { Point } from "../sync";
import type { ContextItem } from "./createChat";

interface PickOverlayProps {
  handle: CanvasHandle;
  onPick(item: ContextItem): void;
  onLeave(): void;
}

/** A hand that trembles this many pixels still points. */
const TREMBLE = 6;

const around = (a: Point, b: Point) => ({ x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(a.x - b.x), h: Math.abs(a.y - b.y) });

/** Over the canvas while a person picks something for the fairy to look at: a click is a point, a drag an area. */
export function PickOverlay({ handle, onPick, onLeave }: PickOverlayProps) {
  const root = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState<Point | null>(null);
  const [to, setTo] = useState<Point | null>(null);
  useEffect(() => {
    root.current?.focus({ preventScroll: true });
  }, []);
  const at = (event: PointerEvent) => {
    const box = root.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  const drawn = from && to ? around(from, to) : null;
  return (
    <div
      ref={root}
      className="pick"
      data-testid="pick"
      role="application"
      aria-label={strings.chat.picking}
      tabIndex={-1}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") onLeave();
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(at(event));
        setTo(at(event));
      }}
      onPointerMove={(event) => from && setTo(at(event))}
      onPointerUp={(event) => {
        if (!from) return;
        const end = at(event);
        const box = root.current?.getBoundingClientRect();
        const scene = (point: Point) => handle.toScene({ x: point.x + (box?.left ?? 0), y: point.y + (box?.top ?? 0) });
        const small = Math.hypot(end.x - from.x, end.y - from.y) < TREMBLE;
        onPick(small ? { type: "point", point: scene(from) } : { type: "area", bounds: around(scene(from), scene(end)) });
      }}
    >
      <p>{strings.chat.picking}</p>
      {drawn && <div className="pick-area" style={{ left: drawn.x, top: drawn.y, width: drawn.w, height: drawn.h }} />}
    </div>
  );
}
