import { useCallback, useEffect, useState } from "react";
import { api, type SignedIn } from "../api/client";
import { failed } from "../api/failed";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { browserName } from "./browserName";

interface SessionListProps {
  me: string;
}

/** The browsers that are signed in with one's own link or one made from it, and the way out. */
export function SessionList({ me }: SessionListProps) {
  const words = strings.share.sessions;
  const [sessions, setSessions] = useState<SignedIn[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const fail = (error: unknown) => setProblem(failed(error));
  const load = useCallback(() => {
    api.sessions().then(setSessions, fail);
  }, []);
  useEffect(load, [load]);

  const signOut = () => void api.signOut().then(() => location.reload(), fail);
  const end = (session: string) => void api.endSession(session).then(load, fail);
  const endOthers = () => void api.endOtherSessions().then(load, fail);
  const here = sessions.some(({ current }) => current);
  return (
    <>
      <h3>{words.title}</h3>
      <ul className="share-links">
        {sessions.map((each) => (
          <li key={each.id}>
            <span>
              <b>{each.subject === me ? browserName(each.client) : words.of(each.name, browserName(each.client))}</b>
              <small>
                {each.current ? words.current : words.seen(new Date(each.lastSeen).toLocaleString())}
                {" · "}
                {words.since(new Date(each.createdAt).toLocaleString())}
              </small>
            </span>
            {!each.current && (
              <button type="button" className="button small" onClick={() => end(each.id)}>
                {words.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Problem words={problem} />
      {here && (
        <p>
          <button type="button" className="button" onClick={signOut}>
            {words.signOut}
          </button>{" "}
          {sessions.length > 1 && (
            <button type="button" className="button" onClick={endOthers}>
              {words.endOthers}
            </button>
          )}
        </p>
      )}
    </>
  );
}
