import type { ReactNode } from "react";
import { strings } from "../strings";

interface NoticeProps {
  tone: "calm" | "bad";
  children: ReactNode;
  action?: { label: string; run(): void; disabled?: boolean };
  onDismiss?(): void;
}

/** A sentence that stays until it is read. Bad news is announced at once, the rest politely. */
export function Notice({ tone, children, action, onDismiss }: NoticeProps) {
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
