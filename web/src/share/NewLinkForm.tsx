import { useState, type FormEvent } from "react";
import { api } from "../api/client";
import { failed } from "../api/failed";
import type { Page, Session } from "../api/types";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { RIGHTS, limitsOf, offeredRights, tierName, type Right, type Where } from "./links";
import { PROJECT, offered, type ProjectRight } from "./project";

interface NewLinkFormProps {
  page: Page;
  pages: readonly Page[];
  /** Who makes it: nobody hands on more than they have. */
  session: Session;
  /** What this person may do in the code project; nothing where none is open. */
  project: readonly string[];
  onMade(link: string): void;
}

const HOUR = 3600;
const TIMES = { day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR, forever: undefined } as const;
type Time = keyof typeof TIMES;

/** A link for somebody else, no wider than it need be. */
export function NewLinkForm({ page, pages, session, project, onMade }: NewLinkFormProps) {
  const words = strings.share;
  const { ops = ["read"], limits = [] } = session;
  const rights = offeredRights(ops);
  const [label, setLabel] = useState("");
  const [right, setRight] = useState<Right>(rights.includes("edit") ? "edit" : (rights.at(-1) ?? "read"));
  const [time, setTime] = useState<Time>("week");
  const [where, setWhere] = useState<Where>("all");
  const [inProject, setInProject] = useState<ProjectRight>("none");
  const [problem, setProblem] = useState<string | null>(null);
  const limited = limits.includes("pages") || limits.includes("tiers");
  const tiers = [...new Set(pages.map(({ tier }) => tier))].sort();

  const make = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(null);
    const expiresIn = TIMES[time];
    try {
      const { token } = await api.makeLink({
        ops: [...RIGHTS[right]],
        // The server makes up who they are: a name given here is only what they are called.
        label: label.trim() || words.guest,
        ...(inProject === "none" ? {} : { project: [...PROJECT[inProject]] }),
        ...limitsOf(where, page),
        ...(expiresIn === undefined ? {} : { expiresIn }),
      });
      onMade(`${location.origin}/#${where === "here" ? `page=${encodeURIComponent(page.id)}&` : ""}key=${token}`);
    } catch (error) {
      setProblem(failed(error));
    }
  };

  return (
    <form onSubmit={(event) => void make(event)}>
      <div className="two">
        <label className="field">
          <span>{words.for}</span>
          <input
            className="input"
            value={label}
            maxLength={60}
            placeholder={words.forHint}
            onChange={(event) => setLabel(event.target.value)}
          />
        </label>
        <label className="field">
          <span>{words.may}</span>
          <select className="input" value={right} onChange={(event) => setRight(event.target.value as Right)}>
            {rights.map((each) => (
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
          <select className="input" value={where} onChange={(event) => setWhere(event.target.value as Where)}>
            <option value="all">{limited ? words.everywhereYouSee : words.everywhere}</option>
            <option value="here">{words.onlyHere(page.name || strings.page.untitled)}</option>
            {tiers.map((tier) => (
              <option key={tier} value={`tier:${tier}`}>
                {words.onTiers(tierName(tier))}
              </option>
            ))}
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
      <Problem words={problem} />
    </form>
  );
}
