import { useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import type { Workspace } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { boundsOf } from "../canvas/bounds";
import { strings } from "../strings";
import { cardPlace, markPlace } from "./place";
import { WhyCard } from "./WhyCard";

interface WhyMarkProps {
  handle: CanvasHandle;
  page: string;
  /** The one selected shape. */
  element: string;
  workspace: Workspace;
  onRun(fairy: string, run: string): void;
}

/** A small "Why?" beside the selected shape, and the card it opens. */
export function WhyMark({ handle, page, element, workspace, onRun }: WhyMarkProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLButtonElement>(null);
  const card = useRef<HTMLDivElement>(null);

  // Placed by hand, once a frame: it follows panning, zooming and dragging without a render.
  useLayoutEffect(() => {
    let frame = 0;
    // Measured when it can have changed, not in every frame: measuring makes the browser lay out at once.
    const sizes = { mark: { w: 0, h: 0 }, card: { w: 0, h: 0 } };
    const measure = () => {
      if (mark.current) sizes.mark = { w: mark.current.offsetWidth, h: mark.current.offsetHeight };
      if (card.current) sizes.card = { w: card.current.offsetWidth, h: card.current.offsetHeight };
    };
    const place = () => {
      frame = 0;
      const shape = handle.element(element);
      if (!root.current || !mark.current) return;
      const zoom = handle.zoom();
      const view = handle.viewport();
      const screen = { w: view.w * zoom, h: view.h * zoom };
      const bounds = shape && boundsOf(shape);
      const seen = bounds && { ...handle.toScreen(bounds), w: bounds.w * zoom, h: bounds.h * zoom };
      const at = seen && markPlace(seen, screen, sizes.mark);
      root.current.style.visibility = at ? "visible" : "hidden";
      if (!seen || !at) return;
      mark.current.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
      if (card.current) {
        const to = cardPlace(seen, { ...at, ...sizes.mark }, screen, sizes.card);
        card.current.style.transform = `translate(${to.x.toFixed(1)}px, ${to.y.toFixed(1)}px)`;
      }
    };
    const soon = () => {
      frame ||= requestAnimationFrame(place);
    };
    measure();
    place();
    const grown = new ResizeObserver(() => {
      measure();
      soon();
    });
    if (card.current) grown.observe(card.current);
    const ends = [handle.onViewport(soon), handle.onScene(soon), () => grown.disconnect()];
    return () => {
      cancelAnimationFrame(frame);
      ends.forEach((end) => end());
    };
  }, [handle, element, open]);

  const close = () => {
    setOpen(false);
    mark.current?.focus({ preventScroll: true });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // The editor listens to the whole document and would take Enter for "type into the shape".
    event.stopPropagation();
    if (event.key === "Escape" && open) close();
  };

  return (
    <div className="why" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={mark}
        type="button"
        className="why-mark"
        title={strings.why.hint}
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => setOpen((was) => !was)}
      >
        {strings.why.ask}
      </button>
      {open && (
        <WhyCard
          ref={card}
          page={page}
          element={element}
          label={handle.element(element)?.labelId}
          workspace={workspace}
          onClose={close}
          onRun={(fairy, run) => {
            setOpen(false);
            onRun(fairy, run);
          }}
        />
      )}
    </div>
  );
}
