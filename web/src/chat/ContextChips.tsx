import { strings } from "../strings";
import { Icon } from "./Icon";

interface ContextChipsProps {
  /** What the chip of the selected shapes says; null when none go along. */
  shapes: string | null;
  /** Whether the fairy is told what the person sees. */
  view: boolean;
  onLeaveOut(): void;
  onView(along: boolean): void;
}

/** What goes along with the words, each a chip that can be left out. */
export function ContextChips({ shapes, view, onLeaveOut, onView }: ContextChipsProps) {
  return (
    <ul className="chips" data-testid="chips" aria-label={strings.chat.along}>
      <li>
        <button
          type="button"
          className="chip"
          data-on={view || undefined}
          aria-pressed={view}
          title={strings.chat.viewHint}
          onClick={() => onView(!view)}
        >
          <Icon name="view" />
          <span className="chip-text">{strings.chat.view}</span>
        </button>
      </li>
      {shapes !== null && (
        <li className="chip" data-on title={strings.chat.shapesHint}>
          <Icon name="shapes" />
          <span className="chip-text">{shapes}</span>
          <button type="button" className="chip-drop" aria-label={strings.chat.withoutShapes} onClick={onLeaveOut}>
            <span aria-hidden="true">×</span>
          </button>
        </li>
      )}
    </ul>
  );
}
