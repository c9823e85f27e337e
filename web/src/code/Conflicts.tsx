import type { UndoResult } from "../api/types";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";

/** What an undo did, and what it left alone because somebody else had changed it: all three sides of it. */
export function Conflicts({ result, onOpen, onClose }: { result: UndoResult; onOpen(path: string, line?: number): void; onClose(): void }) {
  const { undone, kept } = result;
  return (
    <section className="conflicts" data-stayed={kept.length > 0 || undefined} role="status" aria-label={strings.code.undo}>
      <header>
        <p>{undone > 0 ? strings.code.undone(undone) : kept.length === 0 ? strings.code.nothing : strings.code.stayed}</p>
        <IconButton label={strings.chat.dismiss} onClick={onClose} />
      </header>
      {undone > 0 && kept.length > 0 && <p>{strings.code.stayed}</p>}
      {kept.map(({ what, why, clash }, at) => (
        <div key={at} className="conflict">
          <button type="button" className="link-button" onClick={() => onOpen(what, clash?.line)}>
            {clash ? strings.code.stayedLine(what, clash.line, why ?? "") : strings.code.stayedWhy(what, why ?? "")}
          </button>
          {clash && (
            <dl>
              <dt>{strings.code.wasBefore}</dt>
              <dd>{clash.before}</dd>
              <dt>{strings.code.wasAfter}</dt>
              <dd>{clash.after}</dd>
              <dt>{strings.code.isNow}</dt>
              <dd>{clash.now}</dd>
            </dl>
          )}
        </div>
      ))}
    </section>
  );
}
