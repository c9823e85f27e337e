import { useEffect, useRef, useState, type RefObject } from "react";

/** A wish to see what was said in a run; each new `count` is a new wish. */
export interface RunJump {
  run: string;
  count: number;
}

const LIT_MS = 2400;

/** Brings a run's words into view; the run that just was, for as long as it is to stand out. */
export function useJump(log: RefObject<HTMLDivElement | null>, jump: RunJump | null, messages: unknown): string | null {
  // The reply may still have to be fetched: look again with every message until it is there.
  const jumped = useRef(0);
  const [lit, setLit] = useState<string | null>(null);
  useEffect(() => {
    if (!jump || jump.count === jumped.current || !log.current) return;
    const reply = log.current.querySelector<HTMLElement>(`[data-run="${CSS.escape(jump.run)}"]`);
    if (!reply) return;
    jumped.current = jump.count;
    const before = reply.previousElementSibling;
    const question = before?.getAttribute("data-role") === "user" ? before : reply;
    log.current.scrollTop += question.getBoundingClientRect().top - log.current.getBoundingClientRect().top - 10;
    reply.focus({ preventScroll: true });
    setLit(jump.run);
  }, [log, jump, messages]);

  useEffect(() => {
    if (!lit) return;
    const timer = setTimeout(() => setLit(null), LIT_MS);
    return () => clearTimeout(timer);
  }, [lit]);
  return lit;
}
