import { useHandle } from "../state/select";
import { useParts } from "../state/store";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { chipText } from "./context";
import { Icon } from "./Icon";

/** What goes along with the words, each a chip that can be left out. `pointing`: places can be picked here. */
export function ContextChips({ pointing }: { pointing: boolean }) {
  const { selection, leftOut, viewAlong: view, picked, picking } = useParts("selection", "leftOut", "viewAlong", "picked", "picking");
  const { leaveOut, setViewAlong, setPicking, unpick } = useParts("leaveOut", "setViewAlong", "setPicking", "unpick");
  const shapes = chipText(useHandle(), selection, leftOut);
  return (
    <ul className="chips" data-testid="chips" aria-label={strings.chat.along}>
      <li>
        <Tip says={strings.chat.viewHint}>
          <button type="button" className="chip" data-on={view || undefined} aria-pressed={view} onClick={() => setViewAlong(!view)}>
            <Icon name="view" />
            <span className="chip-text">{strings.chat.view}</span>
          </button>
        </Tip>
      </li>
      {shapes !== null && (
        <li className="chip" data-on title={strings.chat.shapesHint}>
          <Icon name="shapes" />
          <span className="chip-text">{shapes}</span>
          <button type="button" className="chip-drop" aria-label={strings.chat.withoutShapes} onClick={() => leaveOut(selection)}>
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
            <button type="button" className="chip-drop" aria-label={strings.chat.without(name)} onClick={() => unpick(at)}>
              <span aria-hidden="true">×</span>
            </button>
          </li>
        );
      })}
      {pointing && (
        <li>
          <Tip says={strings.chat.pickHint}>
            <button type="button" className="chip pick-chip" aria-pressed={picking} onClick={() => setPicking(!picking)}>
              <Icon name="point" />
              <span className="chip-text">{strings.chat.pick}</span>
            </button>
          </Tip>
        </li>
      )}
    </ul>
  );
}
