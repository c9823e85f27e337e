import { useState } from "react";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { Popup, type Spot } from "../ui/Popup";

/** A question with a one-line answer, beside the words that it is about. */
export interface Question {
  label: string;
  start: string;
  at: Spot;
  /** Null if the answer will do, else what is wrong with it. */
  check?(answer: string): string | null;
  done(answer: string): void;
}

/** Asks for an address, a name, a few words. */
export function AskLine({ question, onClose }: { question: Question; onClose(): void }) {
  const [answer, setAnswer] = useState(question.start);
  const [wrong, setWrong] = useState<string | null>(null);
  return (
    <Popup at={question.at} className="text-ask" label={question.label} role="dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const problem = question.check?.(answer.trim()) ?? null;
          setWrong(problem);
          if (problem) return;
          onClose();
          question.done(answer.trim());
        }}
      >
        <input
          className="input"
          aria-label={question.label}
          placeholder={question.label}
          value={answer}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setAnswer(event.target.value)}
        />
        <button type="submit" className="button small primary">
          {strings.text.done}
        </button>
        <Problem words={wrong} />
      </form>
    </Popup>
  );
}
