import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { Link } from "../api/schema";
import { failed } from "../api/failed";
import type { Page, Person, Session } from "../api/types";
import { Dialog } from "../ui/Dialog";
import { Problem } from "../app/Problem";
import { colorOf } from "../app/identity";
import { strings } from "../strings";
import { LinkList } from "./LinkList";
import { stateOfPerson } from "./links";
import { NewLinkForm } from "./NewLinkForm";
import { SessionList } from "./SessionList";

interface ShareDialogProps {
  page: Page;
  pages: readonly Page[];
  people: readonly Person[];
  session: Session;
  /** What this person may do in the code project; nothing where none is open. */
  project: readonly string[];
  onClose(): void;
}

/** Who is here, and links that let others in. */
export default function ShareDialog({ page, pages, people, session, project, onClose }: ShareDialogProps) {
  const words = strings.share;
  const me = session.subject;
  const [link, setLink] = useState<string | null>(null);
  const [copied, setCopied] = useState(false);
  const [links, setLinks] = useState<Link[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  /** Those that were taken back before this window was opened. */
  const gone = useRef<ReadonlySet<string> | null>(null);

  const load = useCallback(() => {
    api.links().then(
      (all) => {
        gone.current ??= new Set(all.filter(({ revoked }) => revoked).map(({ id }) => id));
        setLinks(all);
      },
      // A person whose own rights list no links simply has none to show.
      () => {},
    );
  }, []);
  useEffect(load, [load]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link ?? "");
      setCopied(true);
    } catch {
      document.querySelector<HTMLInputElement>("#share-link")?.select();
    }
  };

  const revoke = (id: string) =>
    void api.revokeLink({ id }).then(
      () => {
        setLink(null);
        load();
      },
      (error: unknown) => setProblem(failed(error)),
    );
  const now = Date.now();
  return (
    <Dialog title={words.title} onClose={onClose}>
      <h3>{words.here}</h3>
      <ul className="share-people">
        {people.map(({ subject, name, online }) => {
          const state = stateOfPerson(links, subject, now);
          return (
            <li key={subject} data-online={online || undefined} data-state={state}>
              <span className="share-face" style={{ background: colorOf(subject) }} aria-hidden="true">
                {(name.trim()[0] ?? "?").toLocaleUpperCase()}
              </span>
              {subject === me ? strings.people.you(name) : name}
              <small>{state === "alive" ? (online ? words.online : words.away) : words.states[state]}</small>
            </li>
          );
        })}
      </ul>
      <h3>{words.make}</h3>
      <NewLinkForm
        page={page}
        pages={pages}
        session={session}
        project={project}
        onMade={(made) => {
          setLink(made);
          setCopied(false);
          load();
        }}
      />
      {link && (
        <div className="share-link" role="status">
          <input
            id="share-link"
            className="input"
            readOnly
            aria-label={words.link}
            value={link}
            onFocus={(event) => event.target.select()}
          />
          <button type="button" className="button" onClick={() => void copy()}>
            {copied ? words.copied : words.copy}
          </button>
          <p className="hint">{words.once}</p>
        </div>
      )}
      <LinkList links={links.filter(({ id }) => !gone.current?.has(id))} pages={pages} onRevoke={revoke} />
      <Problem words={problem} />
      <SessionList me={me} links={links} />
    </Dialog>
  );
}
