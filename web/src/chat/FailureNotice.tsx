import { useEffect, useState } from "react";
import type { Failure } from "../api/schema";
import { strings } from "../strings";
import { countdown } from "./failure";
import { Notice } from "./Notice";

interface FailureNoticeProps {
  failure: Failure;
  /** When it happened. */
  at: number;
  /** Left out for those who may not ask. */
  onRetry?(): void;
  onGoOn?(): void;
}

/** What went wrong, what to do about it, and when. */
export function FailureNotice({ failure, at, onRetry, onGoOn }: FailureNoticeProps) {
  // A run that used what it may goes on from where it is; others are asked once more.
  const goesOn = failure.kind === "depth";
  const again = goesOn ? onGoOn : onRetry;
  const until = at + (failure.retryAfterMs ?? 0);
  const [now, setNow] = useState(Date.now);
  const left = countdown(until, now);
  const waiting = left !== null;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [waiting]);
  const label = left !== null ? strings.runFailure.wait(left) : goesOn ? strings.runFailure.goOn : strings.runFailure.again;
  return (
    <div data-testid="failure" data-kind={failure.kind}>
      <Notice tone="bad" {...(again ? { action: { label, run: again, disabled: waiting } } : {})}>
        {failure.message} {strings.runFailure.advice[failure.kind] ?? ""}
      </Notice>
    </div>
  );
}
