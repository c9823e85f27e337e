import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import type { ContextItem } from "./createChat";
import { Icon } from "./Icon";

interface ContextChipsProps {
  /** What the chip of the selected shapes says; null when none go along. */
  shapes: string | null;
  /** Whether the fairy is told what the person sees. */
  view: boolean;
  /** Points and areas that go along. */
  picked: readonly ContextItem[];
  picking: boolean;
  onLeaveOut(): void;
  onView(along: boolean): void;
  /** Absent where there is nothing to point at but words. */
  onPick?(): void;
  onUnpick(at: number): void;
}

/** What goes along with the words, each a chip that can be left out. */
export function ContextChips({ shapes, view, picked, picking, onLeaveOut, onView, onPick, onUnpick }: ContextChipsProps) {
  return (
    <ul className="chips" data-testid="chips" aria-label={strings.chat.along}>
      <li>
        <Tip says={strings.chat.viewHint}>
          <button type="button" className="chip" data-on={view || undefined} aria-pressed={view} onClick={() => onView(!view)}>
            <Icon name="view" />
            <span className="chip-text">{strings.chat.view}</span>
          </button>
        </Tip>
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
      {picked.map((item, at) => {
        const name = item.type === "point" ? strings.chat.point : strings.chat.area;
        return (
          <li key={JSON.stringify(item)} className="chip" data-on>
            <Icon name={item.type} />
            <span className="chip-text">{name}</span>
            <button type="button" className="chip-drop" aria-label={strings.chat.without(name)} onClick={() => onUnpick(at)}>
              <span aria-hidden="true">×</span>
            </button>
          </li>
        );
      })}
      {onPick && (
        <li>
          <Tip says={strings.chat.pickHint}>
            <button type="button" className="chip pick-chip" aria-pressed={picking} onClick={onPick}>
              <Icon name="point" />
              <span className="chip-text">{strings.chat.pick}</span>
            </button>
          </Tip>
        </li>
      )}
    </ul>
  );
}
