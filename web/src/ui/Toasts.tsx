import { Toast as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Notice, type NoticeProps } from "../chat/Notice";
import { strings } from "../strings";

/** How long news stays; bad news takes longer to read. It waits while somebody points at it or looks elsewhere. */
const SHOWN_MS = { calm: 12_000, bad: 20_000 } as const;

/** Where news is shown; what stays until it is decided about stands above it. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider swipeDirection="down" label={strings.toasts.one}>
      <div className="notices">
        {children}
        <Primitive.Viewport asChild label={strings.toasts.all}>
          <div className="toasts" />
        </Primitive.Viewport>
      </div>
    </Primitive.Provider>
  );
}

/** A sentence that goes by itself after a while. */
export function Toast({ tone, onDismiss, ...rest }: NoticeProps & { onDismiss(): void }) {
  return (
    <Primitive.Root
      asChild
      type={tone === "bad" ? "foreground" : "background"}
      duration={SHOWN_MS[tone]}
      onOpenChange={(open) => !open && onDismiss()}
    >
      {/* Read out by the toasts' own live region. */}
      <Notice tone={tone} aria-live="off" onDismiss={onDismiss} {...rest} />
    </Primitive.Root>
  );
}
