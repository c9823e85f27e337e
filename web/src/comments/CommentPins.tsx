import { Popover } from "radix-ui";
import { useLayoutEffect, useRef } from "react";
import type { CanvasHandle } from "../canvas";
import { onZoom, useGlued } from "../canvas/useGlued";
import { colorOf } from "../app/identity";
import { strings } from "../strings";
import type { Thread } from "./commentsDoc";
import { placeOf } from "./place";
import { ThreadCard, type ThreadActions } from "./ThreadCard";

interface CommentPinsProps extends ThreadActions {
  handle: CanvasHandle;
  threads: readonly Thread[];
  /** The thread whose card is open. */
  open: string | null;
  onOpen(thread: string | null): void;
}

function Pin({ handle, thread, open, onOpen, ...act }: Omit<CommentPinsProps, "threads"> & { thread: Thread }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let frame = 0;
    const place = () => {
      frame = 0;
      const at = placeOf(thread, handle);
      if (!root.current) return;
      root.current.style.visibility = at ? "visible" : "hidden";
      if (!at) return;
      const zoom = handle.zoom();
      root.current.style.transform = `translate(${(at.x * zoom).toFixed(1)}px, ${(at.y * zoom).toFixed(1)}px)`;
    };
    const soon = () => {
      frame ||= requestAnimationFrame(place);
    };
    const ends = [onZoom(handle, place), ...(thread.element ? [handle.onScene(soon)] : [])];
    return () => {
      cancelAnimationFrame(frame);
      ends.forEach((end) => end());
    };
  }, [handle, thread]);

  return (
    <div className="pin" ref={root} data-testid="comment-pin" data-resolved={thread.resolved || undefined}>
      <Popover.Root open={open === thread.id} onOpenChange={(show) => onOpen(show ? thread.id : null)}>
        <Popover.Trigger
          className="pin-face"
          style={{ background: colorOf(thread.author) }}
          aria-label={strings.comments.pin(thread.authorName || strings.run.someone, thread.text)}
          onPointerDown={(event) => event.stopPropagation()}
        >
          <span aria-hidden="true">{(thread.authorName.trim()[0] ?? "?").toLocaleUpperCase()}</span>
          {thread.replies.length > 0 && <span className="pin-count">{thread.replies.length + 1}</span>}
        </Popover.Trigger>
        <ThreadCard thread={thread} {...act} />
      </Popover.Root>
    </div>
  );
}

/** Comments where they were made: a face each, and the conversation of the one that is open. */
export function CommentPins({ threads, ...rest }: CommentPinsProps) {
  const sheet = useGlued<HTMLDivElement>(rest.handle);
  return (
    <div ref={sheet} className="pins glued">
      {threads
        .filter(({ id, resolved }) => !resolved || rest.open === id)
        .map((thread) => (
          <Pin key={thread.id} thread={thread} {...rest} />
        ))}
    </div>
  );
}
