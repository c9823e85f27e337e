import { useCallback, useEffect, useState } from "react";
import { api, type FairyInside } from "../api/client";
import type { StepInFull } from "../api/schema";
import { failed } from "../api/failed";
import type { Fairy } from "../api/types";
import { Dialog } from "../ui/Dialog";
import { Problem } from "../app/Problem";
import { timeText } from "../fairies/work";
import { strings } from "../strings";
import { Facts } from "./Facts";
import { pictureIn, promptText } from "./promptText";

interface DebugDialogProps {
  fairy: Fairy;
  /** Whether tasks are framed on the page. */
  bounds: boolean;
  onBounds(): void;
  onClose(): void;
}

function Prompt({ prompt }: { prompt: unknown }) {
  const picture = pictureIn(prompt);
  return (
    <>
      {picture && <img src={picture} alt={strings.debug.picture} />}
      <pre tabIndex={0}>{promptText(prompt)}</pre>
    </>
  );
}

function Step({ step, longest, times }: { step: StepInFull; longest: number; times: boolean }) {
  const took = (step.endedAt ?? Date.now()) - step.startedAt;
  return (
    <details className="debug-step">
      <summary>
        <b>{step.model}</b> · {timeText(step, Date.now())} · {strings.debug.tokens(step.inputTokens, step.outputTokens)}
        {step.error && ` · ${step.error}`}
        {times && (
          <span
            className="debug-bar"
            style={{ width: `${Math.max(2, (100 * took) / Math.max(1, longest))}%`, display: "block" }}
            aria-hidden="true"
          />
        )}
      </summary>
      <h3>{strings.debug.prompt}</h3>
      <Prompt prompt={step.prompt} />
      <h3>{strings.debug.answer}</h3>
      <pre tabIndex={0}>{step.answer}</pre>
    </details>
  );
}

/** A fairy's inside: how it is, which modes it went through, the exact words it sent and got. */
export default function DebugDialog({ fairy, bounds, onBounds, onClose }: DebugDialogProps) {
  const [inside, setInside] = useState<FairyInside | null>(null);
  const [next, setNext] = useState<unknown>(null);
  const [times, setTimes] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const fail = (error: unknown) => setProblem(failed(error));
  const look = useCallback(() => void api.debug(fairy.id).then(setInside, (error) => setProblem(failed(error))), [fairy.id]);
  useEffect(look, [look]);

  const { steps = [], fairy: _, current: __, ...state } = inside ?? { steps: [] };
  const longest = Math.max(0, ...steps.map(({ startedAt, endedAt }) => (endedAt ?? Date.now()) - startedAt));
  return (
    <Dialog
      title={strings.debug.title(fairy.name)}
      wide
      onClose={onClose}
      foot={
        <>
          <label className="check">
            <input type="checkbox" checked={bounds} onChange={onBounds} />
            <span>{strings.debug.bounds}</span>
          </label>
          <label className="check">
            <input type="checkbox" checked={times} onChange={(event) => setTimes(event.target.checked)} />
            <span>{strings.debug.times}</span>
          </label>
          <span className="top-gap" />
          <button type="button" className="button" onClick={look}>
            {strings.debug.refresh}
          </button>
        </>
      }
    >
      <div className="debug" data-testid="debug">
        <p className="hint">{strings.debug.lead}</p>
        <Problem words={problem} />
        <h3>{strings.debug.state}</h3>
        <Facts facts={state} />
        <h3>{strings.debug.steps}</h3>
        {inside && steps.length === 0 && <p className="hint">{strings.debug.none}</p>}
        {steps.map((step) => (
          <Step key={`${step.run} ${step.index}`} step={step} longest={longest} times={times} />
        ))}
        <h3>{strings.debug.next}</h3>
        {next === null ? (
          <button type="button" className="button small" onClick={() => void api.prompt(fairy.id, fairy.page).then(setNext, fail)}>
            {strings.debug.look}
          </button>
        ) : (
          <Prompt prompt={next} />
        )}
      </div>
    </Dialog>
  );
}
