import { useState } from "react";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import type { Point } from "../sync";
import { useFocusBefore } from "../ui/focusBefore";
import { Popup } from "../ui/Popup";
import { Words } from "./Words";

interface CommentPlacerProps {
  handle: CanvasHandle;
  onSay(at: Point, text: string): void;
  onLeave(): void;
}

/** Over the canvas while a person makes a comment: first where, then what. */
export function CommentPlacer({ handle, onSay, onLeave }: CommentPlacerProps) {
  /** In the window. */
  const [at, setAt] = useState<Point | null>(null);
  const focusBefore = useFocusBefore(true);
  const leave = () => {
    onLeave();
    focusBefore();
  };
  return (
    <div
      className="pick"
      data-testid="comment-placer"
      role="application"
      aria-label={strings.comments.where}
      tabIndex={-1}
      ref={(box) => {
        if (!at) box?.focus({ preventScroll: true });
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") leave();
        // Without a pointer: in the middle of what one sees.
        if (event.key === "Enter" && !at) {
          const { x, y, width, height } = event.currentTarget.getBoundingClientRect();
          setAt({ x: x + width / 2, y: y + height / 2 });
        }
      }}
      // Not when the pointer goes down: what the browser does next would take the focus from the box.
      onClick={(event) => {
        if (event.target === event.currentTarget) setAt({ x: event.clientX, y: event.clientY });
      }}
    >
      {!at && <p>{strings.comments.where}</p>}
      {at && (
        <Popup at={{ left: at.x, top: at.y, bottom: at.y }} className="thread" label={strings.comments.add} role="dialog" onClose={leave}>
          <Words label={strings.comments.say} send={strings.comments.send} onSend={(text) => onSay(handle.toScene(at), text)} />
        </Popup>
      )}
    </div>
  );
}
