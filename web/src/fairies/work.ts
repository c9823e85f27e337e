import type { Fairy, Page, Run } from "../api/types";
import { strings } from "../strings";
import { tidy } from "./ScopeFields";

/** What a fairy's runs have cost so far, as far as this studio has heard of them. */
export function costOf(runs: readonly Run[]): { usd: number; tokens: number } {
  return runs.reduce((sum, { cost }) => ({ usd: sum.usd + cost.usd, tokens: sum.tokens + cost.inputTokens + cost.outputTokens }), {
    usd: 0,
    tokens: 0,
  });
}

/** A cost as people read it: money where there is a price, else how much was said; nothing for nothing. */
export function costText({ usd, tokens }: { usd: number; tokens: number }): string | null {
  if (usd > 0) return usd < 0.01 ? strings.cost.little : strings.cost.money(usd.toFixed(2));
  return tokens > 0 ? strings.cost.tokens(tokens >= 1000 ? `${(tokens / 1000).toFixed(1)}k` : String(tokens)) : null;
}

/** How long a run took, or has taken so far. */
export function timeText(run: Pick<Run, "startedAt" | "endedAt">, now: number): string {
  const ms = Math.max(0, Number(new Date(run.endedAt ?? now)) - Number(new Date(run.startedAt)));
  return ms < 60_000 ? strings.cost.seconds((ms / 1000).toFixed(ms < 10_000 ? 1 : 0)) : strings.cost.minutes(Math.round(ms / 60_000));
}

/** What limits a fairy, in a few words; nothing when nothing does. */
export function scopeText(fairy: Fairy, pages: readonly Page[]): string | null {
  const scope = tidy(fairy.scope);
  const parts: string[] = [];
  if (scope.pages) {
    const names = scope.pages.map((id) => pages.find((page) => page.id === id)?.name ?? id);
    parts.push(strings.supervise.onlyOn(names.join(", ") || strings.supervise.noPage));
  }
  if (scope.region) parts.push(strings.supervise.inRegion);
  if (scope.actions) parts.push(strings.supervise.someActions);
  if (scope.expiresAt) parts.push(strings.settings.untilTime(new Date(scope.expiresAt).toLocaleDateString()));
  return parts.length > 0 ? parts.join(" · ") : null;
}
