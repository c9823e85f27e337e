import { useEffect, useState } from "react";
import { Notice } from "../chat/Notice";
import { strings } from "../strings";
import { countdown } from "./parts";
import type { Failure } from "./types";

interface FailureNoticeProps {
  failure: Failure;
  /** When it happened. */
  at: number;
  /** Left out for those who may not ask. */
  onRetry?(): void;
}

/** What went wrong, what to do about it, and when. */
export function FailureNotice({ failure, at, onRetry }: FailureNoticeProps) {
  const until = at + (failure.retryAfterMs ?? 0);
  const [now, setNow] = useState(Date.now);
  const left = countdown(until, now);
  const waiting = left !== null;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [waiting]);
  const label = left === null ? strings.code.retry : strings.code.wait(left);
  return (
    <div data-testid="code-failure" data-kind={failure.kind}>
      <Notice tone="bad" {...(onRetry ? { action: { label, run: onRetry, disabled: waiting } } : {})}>
        {failure.message} {strings.code.errors[failure.kind] ?? ""}
      </Notice>
    </div>
  );
}
