import type { Fairy } from "../api/types";
import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";

interface DockProps {
  fairy: Fairy;
  waiting: number;
  onOpen(): void;
}

/** What is left of the panel when it is closed: the fairy's face, and whether something waits. */
export function Dock({ fairy, waiting, onOpen }: DockProps) {
  const name = strings.panel.show(fairy.name);
  return (
    <Tip says={name}>
      <button
        type="button"
        className="dock"
        aria-label={waiting > 0 ? `${name}: ${strings.panel.waiting(waiting)}` : name}
        onClick={onOpen}
      >
        <FairyArt color={fairy.color} hat={fairy.hat} hatColor={fairy.hatColor} pose="idle" />
        {waiting > 0 && (
          <span className="dock-badge" aria-hidden="true">
            {waiting}
          </span>
        )}
      </button>
    </Tip>
  );
}
