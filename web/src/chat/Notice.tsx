import type { ComponentProps } from "react";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";

export interface NoticeProps extends ComponentProps<"div"> {
  tone: "calm" | "bad";
  action?: { label: string; run(): void; disabled?: boolean };
  onDismiss?(): void;
}

/** A sentence for a person to read. Bad news is announced at once, the rest politely. */
export function Notice({ tone, children, action, onDismiss, ...rest }: NoticeProps) {
  return (
    <div role={tone === "bad" ? "alert" : "status"} {...rest} className="notice" data-tone={tone}>
      <p>{children}</p>
      {action && (
        <button type="button" className="button small" disabled={action.disabled} onClick={action.run}>
          {action.label}
        </button>
      )}
      {onDismiss && <IconButton label={strings.chat.dismiss} onClick={onDismiss} />}
    </div>
  );
}
