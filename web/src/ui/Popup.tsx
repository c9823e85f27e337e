import { Popover } from "radix-ui";
import { useMemo, useRef, type ReactNode } from "react";
import { keepKeys } from "./keys";
import { stage } from "./stage";

/** A place in the window. */
export interface Spot {
  left: number;
  top: number;
  bottom: number;
}

interface PopupProps {
  at: Spot;
  /** Over the place rather than under it, where there is room. */
  above?: boolean;
  className: string;
  label: string;
  role: "toolbar" | "dialog" | "listbox";
  /** It takes the focus, and Escape closes it; else whoever writes goes on writing. */
  onClose?(): void;
  children: ReactNode;
}

/** Something small beside a place, never beyond the edge of the page. */
export function Popup({ at: { left, top, bottom }, above = false, className, label, role, onClose, children }: PopupProps) {
  const place = useRef({ getBoundingClientRect: () => new DOMRect() });
  place.current = useMemo(() => ({ getBoundingClientRect: () => new DOMRect(left, top, 0, bottom - top) }), [left, top, bottom]);
  const box = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose?.()}>
      <Popover.Anchor virtualRef={place} />
      <Popover.Content
        ref={box}
        className={`popup ${className}`}
        role={role}
        aria-label={label}
        side={above ? "top" : "bottom"}
        align="start"
        sideOffset={8}
        collisionBoundary={stage()}
        collisionPadding={8}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          if (onClose) box.current?.querySelector<HTMLElement>("input, textarea, button")?.focus({ preventScroll: true });
        }}
        onCloseAutoFocus={(event) => event.preventDefault()}
        // It goes when what it is about goes.
        onInteractOutside={(event) => event.preventDefault()}
        onKeyDown={onClose && keepKeys}
        // The words keep the focus, except for what is typed or chosen in here.
        onMouseDown={(event) => {
          if (!(event.target instanceof Element) || !event.target.closest("input, select, textarea")) event.preventDefault();
        }}
      >
        {children}
      </Popover.Content>
    </Popover.Root>
  );
}
