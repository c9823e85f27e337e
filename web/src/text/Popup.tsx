import { useLayoutEffect, useRef, type ReactNode } from "react";

/** A place in the window, as the editor gives it. */
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
  role: "toolbar" | "dialog" | "menu";
  children: ReactNode;
}

const EDGE = 8;

/** Something small beside a place in the words, never out of the window. */
export function Popup({ at, above = false, className, label, role, children }: PopupProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current) keepInWindow(box.current, at, above);
  });
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: every role that it can have takes a name
    <div
      ref={box}
      className={`text-popup ${className}`}
      role={role}
      aria-label={label}
      // The words keep the focus, except for what is typed or chosen in here.
      onMouseDown={(event) => {
        if (!(event.target instanceof Element) || !event.target.closest("input, select, textarea")) event.preventDefault();
      }}
    >
      {children}
    </div>
  );
}

export function keepInWindow(box: HTMLElement, at: Spot, above: boolean): void {
  const { offsetWidth: w, offsetHeight: h } = box;
  const over = at.top - h - EDGE;
  const under = at.bottom + EDGE;
  const top = above ? (over >= EDGE ? over : under) : under + h + EDGE <= innerHeight ? under : Math.max(EDGE, over);
  box.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - w - EDGE))}px`;
  box.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - h - EDGE))}px`;
}
