import type { Run } from "../api/types";
import { costText, timeText } from "../fairies/work";
import { strings } from "../strings";

/** What became of a run, in a word. One that changed nothing had nothing to keep. */
export function verdictOf(run: Run | undefined): string | null {
  if (!run || (run.status === "kept" && run.elements.length === 0)) return null;
  return strings.run.verdict[run.status] ?? null;
}

/** How long a finished run took, and what it cost. */
export function spentOf(run: Run | undefined): string | null {
  if (!run || run.status === "running") return null;
  return [timeText(run, Date.now()), costText(run.cost && { usd: run.cost.usd, tokens: run.cost.inputTokens + run.cost.outputTokens })]
    .filter(Boolean)
    .join(" · ");
}
