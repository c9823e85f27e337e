import { useCallback, useEffect, useState, type FormEvent } from "react";
import { api, type SharedLink } from "../api/client";
import { failed } from "../api/failed";
import type { Page, Person } from "../api/types";
import { Dialog } from "../app/Dialog";
import { Problem } from "../app/Problem";
import { colorOf } from "../app/identity";
import { strings } from "../strings";
import { PROJECT, offered, projectRightOf, type ProjectRight } from "./project";
import { SessionList } from "./SessionList";

interface ShareDialogProps {
  page: Page;
  pages: readonly Page[];
  people: readonly Person[];
  me: string;
  /** What this person may do in the code project; nothing where none is open. */
  project: readonly string[];
  onClose(): void;
}

/** What a link may do, from looking to everything but handing out keys. */
const RIGHTS = {
  read: ["read"],
  comment: ["read", "comment"],
  suggest: ["read", "comment", "suggest"],
  edit: ["read", "comment", "suggest", "edit"],
  command: ["read", "comment", "suggest", "edit", "command"],
} as const;
type Right = keyof typeof RIGHTS;

const HOUR = 3600;
const TIMES = { day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR, forever: undefined } as const;
type Time = keyof typeof TIMES;

/** The most that a list of rights amounts to. */
function rightOf(ops: readonly string[]): Right {
  const most: Right[] = ["command", "edit", "suggest", "comment"];
  return most.find((right) => ops.includes(right)) ?? "read";
}

/** Who is here, and links that let others in, each no wider than it need be. */
export function ShareDialog({ page, pages, people, me, project, onClose }: ShareDialogProps) {
  const words = strings.share;
  const [label, setLabel] = useState("");
  const [right, setRight] = useState<Right>("edit");
  const [time, setTime] = useState<Time>("week");
  const [onlyHere, setOnlyHere] = useState(false);
  const [inProject, setInProject] = useState<ProjectRight>("none");
  const [link, setLink] = useState<string | null>(null);
  const [copied, setCopied] = useState(false);
  const [links, setLinks] = useState<SharedLink[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const fail = (error: unknown) => setProblem(failed(error));
  const load = useCallback(() => {
    // A person whose own rights list no links simply has none to show.
    api.links().then(
      (found) => setLinks(Array.isArray(found) ? found : found.tokens),
      () => setLinks(null),
    );
  }, []);
  useEffect(load, [load]);

  const make = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(null);
    setCopied(false);
    const expiresIn = TIMES[time];
    try {
      const { token } = await api.makeLink({
        ops: [...RIGHTS[right]],
        // The server makes up who they are: a name given here is only what they are called.
        label: label.trim() || words.guest,
        ...(inProject === "none" ? {} : { project: [...PROJECT[inProject]] }),
        ...(onlyHere ? { pages: [page.id] } : {}),
        ...(expiresIn === undefined ? {} : { expiresIn }),
      });
      setLink(`${location.origin}/#${onlyHere ? `page=${encodeURIComponent(page.id)}&` : ""}key=${token}`);
      load();
    } catch (error) {
      fail(error);
    }
  };

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link ?? "");
      setCopied(true);
    } catch {
      document.querySelector<HTMLInputElement>("#share-link")?.select();
    }
  };

  const revoke = (id: string) =>
    api.revokeLink({ id }).then(() => {
      setLink(null);
      load();
    }, fail);
  const shown = (links ?? []).filter(({ revoked }) => !revoked);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <h3>{words.here}</h3>
      <ul className="share-people">
        {people.map(({ subject, name, online }) => (
          <li key={subject} data-online={online || undefined}>
            <span className="share-face" style={{ background: colorOf(subject) }} aria-hidden="true">
              {(name.trim()[0] ?? "?").toLocaleUpperCase()}
            </span>
            {subject === me ? strings.people.you(name) : name}
            <small>{online ? words.online : words.away}</small>
          </li>
        ))}
      </ul>
      <h3>{words.make}</h3>
      <form onSubmit={(event) => void make(event)}>
        <div className="two">
          <label className="field">
            <span>{words.for}</span>
            <input className="input" value={label} maxLength={60} placeholder={words.forHint} onChange={(event) => setLabel(event.target.value)} />
          </label>
          <label className="field">
            <span>{words.may}</span>
            <select className="input" value={right} onChange={(event) => setRight(event.target.value as Right)}>
              {(Object.keys(RIGHTS) as Right[]).map((each) => (
                <option key={each} value={each}>
                  {words.rights[each]}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>{words.until}</span>
            <select className="input" value={time} onChange={(event) => setTime(event.target.value as Time)}>
              {(Object.keys(TIMES) as Time[]).map((each) => (
                <option key={each} value={each}>
                  {words.times[each]}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>{words.where}</span>
            <select className="input" value={onlyHere ? "here" : "all"} onChange={(event) => setOnlyHere(event.target.value === "here")}>
              <option value="all">{words.everywhere}</option>
              <option value="here">{words.onlyHere(page.name || strings.page.untitled)}</option>
            </select>
          </label>
          {project.length > 0 && (
            <label className="field">
              <span>{words.project}</span>
              <select className="input" value={inProject} onChange={(event) => setInProject(event.target.value as ProjectRight)}>
                {offered(project).map((each) => (
                  <option key={each} value={each}>
                    {words.projectRights[each]}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        <button type="submit" className="button primary">
          {words.create}
        </button>
      </form>
      <Problem words={problem} />
      {link && (
        <div className="share-link" role="status">
          <input id="share-link" className="input" readOnly aria-label={words.link} value={link} onFocus={(event) => event.target.select()} />
          <button type="button" className="button" onClick={() => void copy()}>
            {copied ? words.copied : words.copy}
          </button>
          <p className="hint">{words.once}</p>
        </div>
      )}
      {shown.length > 0 && (
        <>
          <h3>{words.given}</h3>
          <ul className="share-links">
            {shown.map((each) => (
              <li key={each.id}>
                <span>
                  <b>{each.label || words.unnamed}</b>
                  <small>
                    {[
                      words.rights[rightOf(each.ops)],
                      each.project?.length ? words.inProject(words.projectRights[projectRightOf(each.project)]) : null,
                      each.pages ? words.on(each.pages.map((id) => pages.find((one) => one.id === id)?.name ?? id).join(", ")) : null,
                      each.expiresAt ? strings.settings.untilTime(new Date(each.expiresAt).toLocaleDateString()) : null,
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </small>
                </span>
                <button type="button" className="button small" onClick={() => void revoke(each.id)}>
                  {words.revoke}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <SessionList me={me} />
    </Dialog>
  );
}
