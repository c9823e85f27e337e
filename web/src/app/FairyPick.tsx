import { FairyArt } from "../fairies/FairyArt";
import { useStudio } from "../state/store";
import { strings } from "../strings";

/** Whom to talk to, when there is a choice; or all of them at once. */
export function FairyPick({ current }: { current: string }) {
  const { fairies, pickFairy, showPanel } = useStudio((state) => ({
    fairies: state.workspace.fairies,
    pickFairy: state.pickFairy,
    showPanel: state.showPanel,
  }));
  if (fairies.length < 2) return null;
  return (
    <div className="fairy-pick" role="group" aria-label={strings.panel.pick}>
      {fairies.map(({ id, name, color, hat, hatColor }) => (
        <button key={id} type="button" aria-pressed={id === current} onClick={() => pickFairy(id)}>
          <FairyArt color={color} hat={hat} hatColor={hatColor} pose="idle" />
          <span>{name}</span>
        </button>
      ))}
      <button type="button" className="everyone" onClick={() => showPanel("group")}>
        <span>{strings.group.open}</span>
      </button>
    </div>
  );
}
