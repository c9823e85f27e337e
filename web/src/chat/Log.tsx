import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from "react";
import { strings } from "../strings";

interface LogProps {
  /** The element that scrolls. */
  ref?: Ref<HTMLDivElement>;
  label: string;
  /** Words are on their way. */
  busy: boolean;
  /** Whatever changes when there is something new to read. */
  news: unknown;
  children: ReactNode;
}

const NEAR = 48;

/** A scrolling conversation. It stays with the newest words unless the person has scrolled back to read. */
export function Log({ ref, label, busy, news, children }: LogProps) {
  const log = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [reading, setReading] = useState(false);
  const sticking = useRef(true);
  const top = useRef(0);
  useImperativeHandle(ref, () => log.current as HTMLDivElement, []);

  const toEnd = useCallback(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, []);

  useLayoutEffect(() => {
    if (sticking.current) toEnd();
  }, [news, busy, toEnd]);

  useEffect(() => {
    const { current } = inner;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      if (sticking.current) toEnd();
    });
    observer.observe(current);
    if (log.current) observer.observe(log.current);
    return () => observer.disconnect();
  }, [toEnd]);

  const onScroll = () => {
    const { current } = log;
    if (!current) return;
    // Only who goes back up wants to read: words that came since a scroll of our own are no such wish.
    if (current.scrollHeight - current.scrollTop - current.clientHeight < NEAR) sticking.current = true;
    else if (current.scrollTop < top.current) sticking.current = false;
    top.current = current.scrollTop;
    setReading(!sticking.current);
  };

  return (
    <div className="conversation">
      <div className="log" ref={log} onScroll={onScroll} role="log" aria-live="polite" aria-busy={busy} aria-label={label} tabIndex={0}>
        <div className="log-inner" ref={inner}>
          {children}
        </div>
      </div>
      {reading && (
        <button
          type="button"
          className="jump"
          onClick={() => {
            sticking.current = true;
            setReading(false);
            toEnd();
          }}
        >
          ↓ {strings.chat.jump}
        </button>
      )}
    </div>
  );
}
