import { memo, useState } from "react";
import { plainText } from "../chat/message";
import { Said, Thinking, Turn } from "../chat/MessageView";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { Approval } from "./Approval";
import { blocks } from "./parts";
import { ToolLine } from "./ToolLine";
import type { CodeMessage, Answer as Verdict } from "./types";

interface CodeMessageViewProps {
  message: CodeMessage;
  /** The name of who answered. */
  who: string;
  live: boolean;
  lit: boolean;
  mayAsk: boolean;
  maySettle: boolean;
  /** The chat is at work: nothing earlier can be changed. */
  busy: boolean;
  verdict: string | null;
  spent: string | null;
  onOpen(path: string, line?: number): void;
  onAnswer(answer: Verdict): Promise<void>;
  onEdit(message: string, text: string): void;
  onUndoTo(message: CodeMessage): void;
}

function Question({ message, mayAsk, maySettle, busy, onEdit, onUndoTo }: CodeMessageViewProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const text = plainText(message);
  if (draft !== null) {
    return (
      <form
        className="edit-question"
        onSubmit={(event) => {
          event.preventDefault();
          setDraft(null);
          onEdit(message.id, draft.trim());
        }}
      >
        <textarea
          className="input"
          aria-label={strings.code.edit}
          autoFocus
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setDraft(null);
          }}
        />
        <p className="hint">{strings.code.editing}</p>
        <div className="edit-answers">
          <button type="button" className="button small" onClick={() => setDraft(null)}>
            {strings.code.cancel}
          </button>
          <button type="submit" className="button small primary" disabled={!draft.trim() || busy}>
            {strings.chat.send}
          </button>
        </div>
      </form>
    );
  }
  return (
    <>
      <p className="words">{text}</p>
      {mayAsk && maySettle && !busy && (
        <p className="question-tools">
          <button type="button" className="link-button" onClick={() => setDraft(text)}>
            {strings.code.edit}
          </button>
          <Tip says={strings.code.undoToHint}>
            <button type="button" className="link-button" onClick={() => onUndoTo(message)}>
              {strings.code.undoTo}
            </button>
          </Tip>
        </p>
      )}
    </>
  );
}

function Answer({ message, live, maySettle, onOpen, onAnswer }: CodeMessageViewProps) {
  const parts = blocks(message, live);
  if (parts.length === 0 && live) return <Thinking />;
  return parts.map((block) => {
    switch (block.kind) {
      case "text":
      case "thought":
        return <Said key={block.key} block={block} onOpen={onOpen} />;
      case "calls":
        return (
          <div key={block.key} className="calls">
            <ul className="actions">
              {block.calls.map((call) => (
                <ToolLine key={call.id} call={call} live={live} onOpen={onOpen} />
              ))}
            </ul>
            {block.calls.map(
              (call) =>
                call.approval && <Approval key={call.approval.id} question={call.approval} readOnly={!maySettle} onAnswer={onAnswer} />,
            )}
          </div>
        );
    }
  });
}

/** A turn of a chat about code. Memoised: while one reply streams, the long past does not render again. */
export const CodeMessageView = memo(function CodeMessageView(props: CodeMessageViewProps) {
  return (
    <Turn {...props} author={props.who}>
      {props.message.role === "user" ? <Question {...props} /> : <Answer {...props} />}
    </Turn>
  );
});
