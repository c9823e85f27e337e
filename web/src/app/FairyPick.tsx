import type { Fairy } from "../api/types";
import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";

interface FairyPickProps {
  fairies: readonly Fairy[];
  current: string;
  onPick(fairy: string): void;
  /** To all of them at once. */
  onEveryone(): void;
}

/** Whom to talk to, when there is a choice. */
export function FairyPick({ fairies, current, onPick, onEveryone }: FairyPickProps) {
  if (fairies.length < 2) return null;
  return (
    <div className="fairy-pick" role="group" aria-label={strings.panel.pick}>
      {fairies.map(({ id, name, color, hat, hatColor }) => (
        <button key={id} type="button" aria-pressed={id === current} onClick={() => onPick(id)}>
          <FairyArt color={color} hat={hat} hatColor={hatColor} pose="idle" />
          <span>{name}</span>
        </button>
      ))}
      <button type="button" className="everyone" onClick={onEveryone}>
        <span>{strings.group.open}</span>
      </button>
    </div>
  );
}
