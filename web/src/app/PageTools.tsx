import { useState } from "react";
import type { PageChange } from "../api/schema";
import { failed } from "../api/failed";
import type { Page } from "../api/types";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";
import { ConfirmButton } from "./ConfirmButton";
import { Problem } from "./Problem";

export interface PageActions {
  onChange(page: Page, change: PageChange): Promise<void>;
  /** Moves it to that place in the list. */
  onMove(page: Page, to: number): Promise<void>;
  onDuplicate(page: Page): Promise<void>;
  onDelete(page: Page): Promise<void>;
}

interface PageToolsProps extends PageActions {
  page: Page;
  at: number;
  count: number;
}

const TIERS = ["internal", "public", "private"];

/** What can be done with one page of the list, under its name. */
export function PageTools({ page, at, count, onChange, onMove, onDuplicate, onDelete }: PageToolsProps) {
  const [name, setName] = useState(page.name);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const words = strings.page.tools;

  const run = async (what: () => Promise<void>) => {
    setWorking(true);
    setProblem(null);
    try {
      await what();
    } catch (error) {
      setProblem(failed(error));
    } finally {
      setWorking(false);
    }
  };

  const rename = () => {
    const wanted = name.trim();
    if (wanted && wanted !== page.name) void run(() => onChange(page, { name: wanted }));
  };

  const button = (label: string, icon: string, what: () => Promise<void>, disabled = false) => (
    <IconButton label={label} icon={icon} disabled={working || disabled} onClick={() => void run(what)} />
  );

  return (
    <div className="page-tools" role="group" aria-label={words.of(page.name)}>
      <form
        className="page-rename"
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <input
          className="page-input"
          aria-label={words.name}
          value={name}
          maxLength={200}
          autoFocus
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
          onBlur={rename}
        />
      </form>
      <div className="page-tool-row">
        <label className="page-tier">
          <span>{words.tier}</span>
          <select value={page.tier} disabled={working} onChange={(event) => void run(() => onChange(page, { tier: event.target.value }))}>
            {[...new Set([...TIERS, page.tier])].map((tier) => (
              <option key={tier} value={tier}>
                {words.tiers[tier] ?? tier}
              </option>
            ))}
          </select>
        </label>
        <span className="top-gap" />
        {button(words.up, "up", () => onMove(page, at - 1), at === 0)}
        {button(words.down, "down", () => onMove(page, at + 1), at === count - 1)}
        {button(words.duplicate, "copy", () => onDuplicate(page))}
        <ConfirmButton
          label={words.delete}
          really={words.reallyDelete}
          disabled={working || count === 1}
          onConfirm={() => void run(() => onDelete(page))}
        />
      </div>
      <p className="hint page-tier-hint">{words.tierHint}</p>
      <Problem words={problem} />
    </div>
  );
}
