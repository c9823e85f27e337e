import { useState } from "react";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { DiffText } from "./DiffText";
import { likePath, type ToolCall } from "./parts";
import type { Reach } from "./types";

interface ApprovalProps {
  question: NonNullable<ToolCall["approval"]>;
  readOnly: boolean;
  onAnswer(approval: string, allow: boolean, reach?: Reach): Promise<void>;
}

/** Before a file is written: the change, and how far a yes reaches. */
export function Approval({ question, readOnly, onAnswer }: ApprovalProps) {
  const [pattern, setPattern] = useState(() => likePath(question.path));
  const [problem, setProblem] = useState<string | null>(null);
  const [answered, setAnswered] = useState(false);
  const say = async (allow: boolean, reach?: Reach) => {
    setAnswered(true);
    setProblem(null);
    try {
      await onAnswer(question.id, allow, reach);
    } catch (error) {
      setAnswered(false);
      setProblem(error instanceof Error ? error.message : strings.chat.failed);
    }
  };
  const title = strings.code.ask.title(question.path);
  const closed = answered;
  const answers = (
    <>
      <div className="approval-answers">
        <button type="button" className="button primary" disabled={closed} onClick={() => void say(true, { scope: "once" })}>
          {strings.code.ask.once}
        </button>
        <button type="button" className="button" disabled={closed} onClick={() => void say(true, { scope: "run" })}>
          {strings.code.ask.run}
        </button>
        <button type="button" className="button" disabled={closed} onClick={() => void say(true, { scope: "chat" })}>
          {strings.code.ask.chat}
        </button>
        <button type="button" className="button no" disabled={closed} onClick={() => void say(false)}>
          {strings.code.ask.no}
        </button>
      </div>
      <form
        className="approval-paths"
        onSubmit={(event) => {
          event.preventDefault();
          void say(true, { scope: "paths", paths: [pattern.trim()] });
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
