import { strings } from "../strings";
import type { Point } from "../sync";
import { Menu } from "../ui/Menu";

export type FairyDeed = "find" | "summon" | "follow" | "unfollow" | "sleep" | "wake" | "configure" | "debug" | "reset" | "dismiss";

interface FairyMenuProps {
  name: string;
  /** Where it was asked for; null while it is closed. */
  at: Point | null;
  deeds: readonly FairyDeed[];
  onDo(deed: FairyDeed): void;
  onClose(): void;
}

/** What can be done with a fairy, where it was asked for. */
export function FairyMenu({ name, at, deeds, onDo, onClose }: FairyMenuProps) {
  const items = deeds.map((deed) => ({
    label: strings.fairy.deeds[deed],
    danger: deed === "dismiss",
    run: () => onDo(deed),
  }));
  return <Menu open={at !== null} label={strings.fairy.menu(name)} at={at ?? { x: 0, y: 0 }} items={items} onClose={onClose} />;
}
