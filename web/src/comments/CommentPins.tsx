import { Popover } from "radix-ui";
import { useLayoutEffect, useRef } from "react";
import type { CanvasHandle } from "../canvas";
import { onZoom, useGlued } from "../canvas/useGlued";
import { colorOf } from "../app/identity";
import { useAuthor } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import type { Thread } from "./commentsDoc";
import { placeOf } from "./place";
import { ThreadCard } from "./ThreadCard";

function Pin({ handle, thread }: { handle: CanvasHandle; thread: Thread }) {
  const { openThread, setThread } = useParts("openThread", "setThread");
  const author = useAuthor(thread);
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
      <Popover.Root open={openThread === thread.id} onOpenChange={(show) => setThread(show ? thread.id : null)}>
        <Popover.Trigger
          className="pin-face"
          style={{ background: colorOf(thread.author) }}
          aria-label={strings.comments.pin(author, thread.text)}
          onPointerDown={(event) => event.stopPropagation()}
        >
          <span aria-hidden="true">{(author.trim()[0] ?? "?").toLocaleUpperCase()}</span>
          {thread.replies.length > 0 && <span className="pin-count">{thread.replies.length + 1}</span>}
        </Popover.Trigger>
        <ThreadCard thread={thread} />
      </Popover.Root>
    </div>
  );
}

/** Comments where they were made: a face each, and the conversation of the one that is open. */
export function CommentPins({ handle }: { handle: CanvasHandle }) {
  const { threads, openThread } = useParts("threads", "openThread");
  const sheet = useGlued<HTMLDivElement>(handle);
  return (
    <div ref={sheet} className="pins glued">
      {threads
        .filter(({ id, resolved }) => !resolved || openThread === id)
        .map((thread) => (
          <Pin key={thread.id} handle={handle} thread={thread} />
        ))}
    </div>
  );
}
