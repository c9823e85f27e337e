import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Run, Workspace } from "../api/types";
import { clock } from "../chat/message";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";
import type { CodeChat } from "./types";

interface WhyLineProps {
  line: number;
  /** The run that wrote it; null: nobody's. */
  run: string | null;
  workspace: Workspace;
  chats: readonly CodeChat[];
  onChat(chat: string, run: string): void;
  onChanges(run: string): void;
  onClose(): void;
}

/** Who wrote a line, and on what words. */
export function WhyLine({ line, run, workspace, chats, onChat, onChanges, onClose }: WhyLineProps) {
  const known = workspace.runs.find(({ id }) => id === run) ?? null;
  const [fetched, setFetched] = useState<Run | null>(null);
  const missing = run !== null && known === null;
  useEffect(() => {
    if (!missing || !run) return;
    let current = true;
    api.run(run).then(
      (it) => current && setFetched(it),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [missing, run]);
  const found = known ?? (fetched?.id === run ? fetched : null);
  const chat = chats.find(({ id }) => id === found?.fairy);
  const title = strings.code.whyLine(line);
  return (
    <section className="code-why" role="status" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <IconButton label={strings.why.close} onClick={onClose} />
      </header>
      {run === null && <p>{strings.code.whyPerson}</p>}
      {missing && !found && <p>{strings.why.loading}</p>}
      {found && (
        <>
          <p>
            {strings.code.whyRun(chat ? chat.title || strings.code.untitled : strings.code.whyGone)}
            {" · "}
            {[clock(found.startedAt, new Date()), strings.why.fate[found.status]].filter(Boolean).join(" · ")}
          </p>
          <p>
            {strings.why.asked} <q>{found.message}</q>
          </p>
          <p className="code-why-ways">
            {chat && (
              <button type="button" className="button small" onClick={() => onChat(chat.id, found.id)}>
                {strings.code.inChat}
              </button>
            )}
            <button type="button" className="button small" onClick={() => onChanges(found.id)}>
              {strings.code.inChanges}
            </button>
          </p>
        </>
      )}
    </section>
  );
}
