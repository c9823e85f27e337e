import { strings } from "../strings";
import type { Point } from "../sync";
import { Menu } from "../ui/Menu";

export type FairyCommand = "find" | "summon" | "follow" | "unfollow" | "sleep" | "wake" | "configure" | "debug" | "reset" | "dismiss";

interface FairyMenuProps {
  name: string;
  /** Where it was asked for; null while it is closed. */
  at: Point | null;
  commands: readonly FairyCommand[];
  onDo(command: FairyCommand): void;
  onClose(): void;
}

/** What can be done with a fairy, where it was asked for. */
export function FairyMenu({ name, at, commands, onDo, onClose }: FairyMenuProps) {
  const items = commands.map((command) => ({
    label: strings.fairy.commands[command],
    danger: command === "dismiss",
    run: () => onDo(command),
  }));
  return <Menu open={at !== null} label={strings.fairy.menu(name)} at={at ?? { x: 0, y: 0 }} items={items} onClose={onClose} />;
}
