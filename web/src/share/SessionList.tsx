import { useCallback, useEffect, useState } from "react";
import { api } from "../api/client";
import type { Link, SignedIn } from "../api/schema";
import { failed } from "../api/failed";
import { ConfirmButton } from "../app/ConfirmButton";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { browserName } from "./browserName";
import { stateOfPerson } from "./links";

interface SessionListProps {
  me: string;
  links: readonly Link[];
}

/** The browsers that are signed in with one's own link or one made from it, and the way out. */
export function SessionList({ me, links }: SessionListProps) {
  const words = strings.share.sessions;
  const [sessions, setSessions] = useState<SignedIn[]>([]);
  // Rows stay where they are until the window is opened anew.
  const [ended, setEnded] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const fail = useCallback((error: unknown) => setProblem(failed(error)), []);
  useEffect(() => {
    api.sessions().then(setSessions, fail);
  }, [fail]);

  const signOut = () => void api.signOut().then(() => location.reload(), fail);
  const others = sessions.filter(({ current }) => !current);
  const mark = (gone: readonly SignedIn[]) => () => setEnded((was) => new Set([...was, ...gone.map(({ id }) => id)]));
  const end = (session: SignedIn) => void api.endSession(session.id).then(mark([session]), fail);
  const endOthers = () => void api.endOtherSessions().then(mark(others), fail);
  const now = Date.now();
  return (
    <>
      <h3>{words.title}</h3>
      <ul className="share-links" data-testid="share-sessions">
        {sessions.map((each) => {
          const link = stateOfPerson(links, each.subject, now);
          const over = ended.has(each.id) ? words.ended : link === "alive" ? null : strings.share.states[link];
          return (
            <li key={each.id} data-state={over ? "ended" : "alive"}>
              <span>
                <b>{each.subject === me ? browserName(each.client) : words.of(each.name, browserName(each.client))}</b>
                <small>
                  {each.current ? words.current : words.seen(new Date(each.lastSeen).toLocaleString())}
                  {" · "}
                  {words.since(new Date(each.createdAt).toLocaleString())}
                </small>
              </span>
              {over && <small>{over}</small>}
              {!over && !each.current && <ConfirmButton label={words.end} really={words.reallyEnd} onConfirm={() => end(each)} />}
            </li>
          );
        })}
      </ul>
      <Problem words={problem} />
      {others.length < sessions.length && (
        <p>
          <button type="button" className="button" onClick={signOut}>
            {words.signOut}
          </button>{" "}
          {others.length > 0 && (
            <ConfirmButton
              className="button"
              label={words.endOthers}
              really={words.reallyEndOthers}
              disabled={others.every(({ id }) => ended.has(id))}
              onConfirm={endOthers}
            />
          )}
        </p>
      )}
    </>
  );
}
