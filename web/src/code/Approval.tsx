import { useState } from "react";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { DiffText } from "./DiffText";
import { likePath, type ToolCall } from "./parts";
import type { Answer, Reach } from "./types";

interface ApprovalProps {
  question: NonNullable<ToolCall["approval"]>;
  readOnly: boolean;
  onAnswer(answer: Answer): Promise<void>;
}

/** Before a file is written: the change, how far a yes reaches, and why not. */
export function Approval({ question, readOnly, onAnswer }: ApprovalProps) {
  const [pattern, setPattern] = useState(() => likePath(question.path));
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [answered, setAnswered] = useState(false);
  const say = async (answer: Omit<Answer, "approvalId">) => {
    setAnswered(true);
    setProblem(null);
    try {
      await onAnswer({ approvalId: question.id, ...answer });
    } catch (error) {
      setAnswered(false);
      setProblem(error instanceof Error ? error.message : strings.chat.failed);
    }
  };
  const yes = (reach: Reach) => void say({ allow: true, reach });
  const title = strings.code.ask.title(question.path);
  const closed = answered;
  const answers = (
    <>
      <div className="approval-answers">
        <button type="button" className="button primary" disabled={closed} onClick={() => yes({ scope: "once" })}>
          {strings.code.ask.once}
        </button>
        <button type="button" className="button" disabled={closed} onClick={() => yes({ scope: "run" })}>
          {strings.code.ask.run}
        </button>
        <button type="button" className="button" disabled={closed} onClick={() => yes({ scope: "chat" })}>
          {strings.code.ask.chat}
        </button>
        <button type="button" className="button no" disabled={closed} onClick={() => void say({ allow: false })}>
          {strings.code.ask.no}
        </button>
      </div>
      <form
        className="approval-paths"
        onSubmit={(event) => {
          event.preventDefault();
          void say({ allow: false, reason: reason.trim() });
        }}
      >
        <input
          className="input"
          aria-label={strings.code.ask.reason}
          placeholder={strings.code.ask.reason}
          value={reason}
          disabled={closed}
          onChange={(event) => setReason(event.target.value)}
        />
        <button type="submit" className="button no" disabled={closed || !reason.trim()}>
          {strings.code.ask.because}
        </button>
      </form>
      <form
        className="approval-paths"
        onSubmit={(event) => {
          event.preventDefault();
          yes({ scope: "paths", paths: [pattern.trim()] });
        }}
      >
        <input
          className="input"
          aria-label={strings.code.ask.pattern}
          value={pattern}
          disabled={closed}
          onChange={(event) => setPattern(event.target.value)}
        />
        <button type="submit" className="button" disabled={closed || !pattern.trim()}>
          {strings.code.ask.paths}
        </button>
      </form>
    </>
  );
  return (
    <section className="approval" aria-label={title}>
      <h4>{title}</h4>
      <DiffText diff={question.diff} label={strings.code.diffOf(question.path)} omitted={strings.code.ask.noDiff} />
      {readOnly ? <p className="hint">{strings.code.ask.notYours}</p> : answers}
      <Problem words={problem} />
    </section>
  );
}
