import { memo, useLayoutEffect, useMemo, useRef, useState } from "react";
import { colorOf as colorOfPerson } from "../app/identity";
import type { CanvasHandle } from "../canvas";
import { onZoom, useGlued } from "../canvas/useGlued";
import { FAIRY_COLOR, paint } from "../fairies/paint";
import { usePending } from "../state/select";
import { useStudio } from "../state/store";
import { MOST, outlines, type Outline } from "./outlines";

const Marks = memo(function Marks({ shown, hot }: { shown: readonly Outline[]; hot: string | null }) {
  return shown.map((mark) => {
    const look = {
      className: "pending-mark",
      "data-element": mark.key,
      "data-hot": mark.run === hot || undefined,
      style: { color: mark.color },
    };
    return mark.kind === "line" ? (
      <path key={mark.key} {...look} data-kind="line" d={mark.path} />
    ) : (
      <rect
        key={mark.key}
        {...look}
        data-kind="box"
        x={mark.x}
        y={mark.y}
        width={mark.w}
        height={mark.h}
        rx={10}
        transform={mark.turn ? `rotate(${mark.turn} ${mark.x + mark.w / 2} ${mark.y + mark.h / 2})` : undefined}
      />
    );
  });
});

/**
 * Tints what waits to be kept or undone. The marks are in page coordinates:
 * panning writes one transform, zooming another, and only a changed shape renders.
 */
export function PendingOverlay({ handle }: { handle: CanvasHandle }) {
  const pending = usePending();
  const fairies = useStudio((state) => state.workspace.fairies);
  const hot = useStudio((state) => state.lookedAt);
  // Words that wait are tinted themselves; of a text page only what one looks at is outlined.
  const runs = useMemo(() => (handle.api ? pending : pending.filter(({ id }) => id === hot)), [handle, pending, hot]);
  const sheet = useGlued<SVGSVGElement>(handle);
  const layer = useRef<SVGGElement>(null);
  const [shown, setShown] = useState<readonly Outline[]>([]);
  const last = useRef("");

  useLayoutEffect(() => {
    let frame = 0;
    const total = runs.reduce((sum, run) => sum + run.elements.length, 0);
    // A fairy by its id, whoever suggests by their subject.
    const colorOf = (author: string) =>
      author.includes(":") ? colorOfPerson(author) : paint(fairies.find((fairy) => fairy.id === author)?.color, FAIRY_COLOR);
    const look = () => {
      frame = 0;
      const scene = { element: (id: string) => handle.element(id), view: handle.viewport() };
      const next = outlines(runs, colorOf, scene, hot);
      const text = JSON.stringify(next);
      if (text === last.current) return;
      last.current = text;
      setShown(next);
    };
    const soon = () => {
      if (total > 0) frame ||= requestAnimationFrame(look);
    };
    look();
    const ends = [
      onZoom(handle, (zoom) => layer.current?.setAttribute("transform", `scale(${zoom})`)),
      handle.onViewport(() => total > MOST && soon()),
      handle.onScene(soon),
    ];
    return () => {
      cancelAnimationFrame(frame);
      ends.forEach((end) => end());
    };
  }, [handle, runs, fairies, hot]);

  return (
    <svg ref={sheet} className="pending glued" data-testid="pending" aria-hidden="true">
      <g ref={layer}>
        <Marks shown={shown} hot={hot} />
      </g>
    </svg>
  );
}
