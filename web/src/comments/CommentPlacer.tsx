import { useEffect, useRef, useState, type ReactNode } from "react";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import type { Point } from "../sync";
import { keepInStage } from "./keepInStage";
import { Words } from "./Words";

interface CommentPlacerProps {
  handle: CanvasHandle;
  onSay(at: Point, text: string): void;
  onLeave(): void;
}

/** Over the canvas while a person makes a comment: first where, then what. */
export function CommentPlacer({ handle, onSay, onLeave }: CommentPlacerProps) {
  const [at, setAt] = useState<Point | null>(null);
  const screen = at && handle.toScreen(at);
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
        if (event.key === "Escape") onLeave();
        // Without a pointer: in the middle of what one sees.
        if (event.key === "Enter" && !at) {
          const { x, y, w, h } = handle.viewport();
          setAt({ x: x + w / 2, y: y + h / 2 });
        }
      }}
      // Not when the pointer goes down: what the browser does next would take the focus from the box.
      onClick={(event) => {
        if (event.target === event.currentTarget) setAt(handle.toScene({ x: event.clientX, y: event.clientY }));
      }}
    >
      {!at && <p>{strings.comments.where}</p>}
      {screen && (
        <div className="thread" ref={keepInStage} style={{ left: screen.x, top: screen.y }} role="dialog" aria-label={strings.comments.add}>
          <Focused>
            <Words label={strings.comments.say} send={strings.comments.send} onSend={(text) => onSay(at, text)} />
          </Focused>
        </div>
      )}
    </div>
  );
}

function Focused({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("textarea")?.focus({ preventScroll: true }), []);
  return <div ref={box}>{children}</div>;
}
