import { useEffect, useRef, type ReactNode } from "react";
import { strings } from "../strings";

interface NoticeProps {
  tone: "calm" | "bad";
  children: ReactNode;
  action?: { label: string; run(): void; disabled?: boolean };
  /** Goes by itself after this long; left out, it stays until it is read. */
  lasts?: number;
  onDismiss?(): void;
}

/** A sentence for a person to read. Bad news is announced at once, the rest politely. */
export function Notice({ tone, children, action, lasts, onDismiss }: NoticeProps) {
  const dismiss = useRef(onDismiss);
  dismiss.current = onDismiss;
  useEffect(() => {
    if (lasts === undefined) return;
    const timer = setTimeout(() => dismiss.current?.(), lasts);
    return () => clearTimeout(timer);
  }, [lasts, children]);
  return (
    <div className="notice" data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
      <p>{children}</p>
      {action && (
        <button type="button" className="button small" disabled={action.disabled} onClick={action.run}>
          {action.label}
        </button>
      )}
      {onDismiss && (
        <button type="button" className="icon-button" aria-label={strings.chat.dismiss} onClick={onDismiss}>
          <span aria-hidden="true">×</span>
        </button>
      )}
    </div>
  );
}
