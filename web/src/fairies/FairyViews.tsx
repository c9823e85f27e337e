import { useLayoutEffect, useRef } from "react";
import type { CanvasHandle } from "../canvas";
import { FAIRY_COLOR, paint } from "./paint";
import type { Appearance } from "./roster";

/** What the chosen fairies look at, as faint frames; in page coordinates, so that panning writes one transform. */
export function FairyViews({ handle, fairies }: { handle: CanvasHandle; fairies: readonly Appearance[] }) {
  const layer = useRef<SVGGElement>(null);
  useLayoutEffect(() => {
    const move = () => {
      const { x, y } = handle.viewport();
      layer.current?.setAttribute("transform", `scale(${handle.zoom()}) translate(${-x} ${-y})`);
    };
    move();
    return handle.onViewport(move);
  }, [handle]);
  return (
    <svg className="fairy-views" aria-hidden="true">
      <g ref={layer}>
        {fairies.map(({ id, color, view }) => (
          <rect
            key={id}
            data-testid="fairy-view"
            x={view.x}
            y={view.y}
            width={view.w}
            height={view.h}
            rx={14}
            style={{ color: paint(color, FAIRY_COLOR) }}
          />
        ))}
      </g>
    </svg>
  );
}
