import { useCallback } from "react";
import type { Page } from "../api/types";
import { useStudio } from "../state/store";
import { strings } from "../strings";
import type { Presence } from "../sync";
import { PageMenu } from "./PageMenu";
import { peopleHere } from "./people";
import { syncText } from "./syncText";
import { TopTools } from "./TopTools";
import { usePresence } from "./usePresence";

function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M11.6 13C9 5 2 4.4 2 9c0 3.4 5.8 5.2 9.6 4.8zM12.4 13C15 5 22 4.4 22 9c0 3.4-5.8 5.2-9.6 4.8z" />
      <path
        d="M11.6 14.4c-3.8-.4-7.6 1.6-6.4 4.2.800 2.2 5.2.400 6.6-3.4zM12.4 14.4c3.8-.4 7.6 1.6 6.4 4.2-.8 2.2-5.2.400-6.6-3.4z"
        opacity=".7"
      />
    </svg>
  );
}

/** Where one is, with whom, and whether the work is safe. */
export function TopBar({ page }: { page: Page }) {
  const { me, permission } = useStudio(({ session }) => ({ me: session.subject, permission: session.permission }));
  const open = useStudio((state) => state.open);
  const status = open?.status ?? { state: "connecting", waiting: 0, permission };
  const here = useCallback((all: ReadonlyMap<string, Presence>) => peopleHere(all, me), [me]);
  const people = usePresence(open?.session ?? null, here);
  const sync = syncText(status);
  const names = people.map((person) => (person.me ? strings.people.you(person.name) : person.name));
  return (
    <header className="top-bar">
      <Mark />
      <PageMenu page={page} />
      <p
        className="sync"
        data-testid="sync-status"
        data-tone={sync.tone}
        data-state={status.state}
        role="status"
        title={sync.hint ?? undefined}
      >
        <span className="sync-dot" aria-hidden="true" />
        <span className="sync-words">{sync.text}</span>
      </p>
      <span className="top-gap" />
      <TopTools />
      <ul className="people" aria-label={strings.people.here(names.join(", "))}>
        {people.map((person, at) => (
          <li key={person.subject} title={names[at]} style={{ background: person.color }}>
            <span aria-hidden="true">{person.initial}</span>
          </li>
        ))}
      </ul>
    </header>
  );
}
