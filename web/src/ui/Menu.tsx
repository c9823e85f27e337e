import { DropdownMenu } from "radix-ui";
import { useRef } from "react";
import { Icon } from "../chat/Icon";
import type { Point } from "../sync";
import { useFocusBefore } from "./focusBefore";
import { keepKeys } from "./keys";

export interface MenuItem {
  label: string;
  icon?: string;
  /** It takes something away. */
  danger?: boolean;
  run(): void;
}

interface MenuProps {
  open: boolean;
  label: string;
  /** The place in the window where it was asked for; without it, below where it stands. */
  at?: Point;
  items: readonly MenuItem[];
  onClose(): void;
}

/** What can be done with one thing. It stays mounted: only so does it know whether a key or the pointer opened it. */
export function Menu({ open, label, at, items, onClose }: MenuProps) {
  const focusBefore = useFocusBefore(open);
  const chosen = useRef<(() => void) | null>(null);
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={(open) => !open && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span className="menu-anchor" style={at && { position: "fixed", left: at.x, top: at.y }} aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          aria-label={label}
          aria-labelledby={undefined}
          side={at ? "right" : "bottom"}
          align="start"
          sideOffset={2}
          collisionPadding={8}
          loop
          // What was chosen comes last: a window that it opens finds the focus where it was.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusBefore();
            chosen.current?.();
            chosen.current = null;
          }}
          onKeyDown={keepKeys}
        >
          {items.map(({ label, icon, danger, run }) => (
            <DropdownMenu.Item
              key={label}
              data-danger={danger || undefined}
              onSelect={() => {
                chosen.current = run;
              }}
            >
              {icon && <Icon name={icon} />} {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
