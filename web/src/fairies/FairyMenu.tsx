import { useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { strings } from "../strings";
import type { Point } from "../sync";

export type FairyDeed = "find" | "summon" | "follow" | "unfollow" | "sleep" | "wake" | "configure" | "debug" | "reset" | "dismiss";

interface FairyMenuProps {
  name: string;
  at: Point;
  deeds: readonly FairyDeed[];
  onDo(deed: FairyDeed): void;
  onClose(): void;
}

const EDGE = 8;

/** What can be done with a fairy, where it was asked for. */
export function FairyMenu({ name, at, deeds, onDo, onClose }: FairyMenuProps) {
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const box = menu.current;
    if (!box) return;
    box.style.left = `${Math.max(EDGE, Math.min(at.x, innerWidth - box.offsetWidth - EDGE))}px`;
    box.style.top = `${Math.max(EDGE, Math.min(at.y, innerHeight - box.offsetHeight - EDGE))}px`;
    const before = document.activeElement as HTMLElement | null;
    box.querySelector<HTMLElement>("button")?.focus();
    const outside = (event: PointerEvent) => {
      if (!box.contains(event.target as Node)) onClose();
    };
    addEventListener("pointerdown", outside, true);
    return () => {
      removeEventListener("pointerdown", outside, true);
      before?.focus({ preventScroll: true });
    };
  }, [at, onClose]);

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") return onClose();
    const items = [...(menu.current?.querySelectorAll("button") ?? [])];
    const here = items.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  };

  return (
    <div ref={menu} className="fairy-menu" role="menu" aria-label={strings.fairy.menu(name)} onKeyDown={onKeyDown}>
      {deeds.map((deed) => (
        <button
          key={deed}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-deed={deed}
          onClick={() => {
            onClose();
            onDo(deed);
          }}
        >
          {strings.fairy.deeds[deed]}
        </button>
      ))}
    </div>
  );
}
