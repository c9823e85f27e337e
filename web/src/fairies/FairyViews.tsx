import { useLayoutEffect, useRef } from "react";
import type { CanvasHandle } from "../canvas";
import { onZoom, useGlued } from "../canvas/useGlued";
import { FAIRY_COLOR, paint } from "./paint";
import type { Appearance } from "./roster";

/** What the chosen fairies look at, as faint frames; in page coordinates, so that panning writes one transform. */
export function FairyViews({ handle, fairies }: { handle: CanvasHandle; fairies: readonly Appearance[] }) {
  const sheet = useGlued<SVGSVGElement>(handle);
  const layer = useRef<SVGGElement>(null);
  useLayoutEffect(() => onZoom(handle, (zoom) => layer.current?.setAttribute("transform", `scale(${zoom})`)), [handle]);
  return (
    <svg ref={sheet} className="fairy-views glued" aria-hidden="true">
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
