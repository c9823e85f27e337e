import { strings } from "../strings";
import { Dialog } from "../ui/Dialog";

interface KeptRunsProps {
  /** What the runs that were kept were asked, oldest first. */
  asked: readonly string[];
  onUndo(keptToo: boolean): void;
  onClose(): void;
}

/** Before a chat goes back past runs that somebody kept: are they to be undone too? */
export function KeptRuns({ asked, onUndo, onClose }: KeptRunsProps) {
  const choose = (keptToo: boolean) => {
    onClose();
    onUndo(keptToo);
  };
  return (
    <Dialog
      alert
      title={strings.code.keptTitle}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" onClick={onClose}>
            {strings.code.cancel}
          </button>
          <button type="button" className="button" onClick={() => choose(false)}>
            {strings.code.keptStay}
          </button>
          <button type="button" className="button danger" onClick={() => choose(true)}>
            {strings.code.keptToo}
          </button>
        </>
      }
    >
      <p>{strings.code.keptText}</p>
      <ul>
        {asked.map((words, at) => (
          <li key={at}>{words}</li>
        ))}
      </ul>
    </Dialog>
  );
}
