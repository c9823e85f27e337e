import { Dialog } from "radix-ui";
import { useLayoutEffect, useRef, useState } from "react";
import type { Workspace } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { boundsOf } from "../canvas/bounds";
import { strings } from "../strings";
import { keepKeys } from "../ui/keys";
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
  const [card, setCard] = useState<HTMLDivElement | null>(null);

  // Placed by hand, once a frame: it follows panning, zooming and dragging without a render.
  useLayoutEffect(() => {
    let frame = 0;
    // Measured when it can have changed, not in every frame: measuring makes the browser lay out at once.
    const sizes = { mark: { w: 0, h: 0 }, card: { w: 0, h: 0 } };
    const measure = () => {
      if (mark.current) sizes.mark = { w: mark.current.offsetWidth, h: mark.current.offsetHeight };
      if (card) sizes.card = { w: card.offsetWidth, h: card.offsetHeight };
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
      if (card) {
        const to = cardPlace(seen, { ...at, ...sizes.mark }, screen, sizes.card);
        card.style.transform = `translate(${to.x.toFixed(1)}px, ${to.y.toFixed(1)}px)`;
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
    if (card) grown.observe(card);
    const ends = [handle.onViewport(soon), handle.onScene(soon), () => grown.disconnect()];
    return () => {
      cancelAnimationFrame(frame);
      ends.forEach((end) => end());
    };
  }, [handle, element, card]);

  return (
    // The editor listens to the whole document and would take Enter for "type into the shape".
    <div className="why" ref={root} onKeyDown={keepKeys}>
      <Dialog.Root modal={false} open={open} onOpenChange={setOpen}>
        <Dialog.Trigger ref={mark} className="why-mark" title={strings.why.hint}>
          {strings.why.ask}
        </Dialog.Trigger>
        <Dialog.Content
          ref={setCard}
          className="why-card"
          data-testid="why-card"
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <WhyCard
            page={page}
            element={element}
            label={handle.element(element)?.labelId}
            workspace={workspace}
            onRun={(fairy, run) => {
              setOpen(false);
              onRun(fairy, run);
            }}
          />
        </Dialog.Content>
      </Dialog.Root>
    </div>
  );
}
