import type { ReactNode } from "react";
import { strings } from "../strings";
import type { SyncStatus } from "../sync";
import type { PersonHere } from "./people";
import { syncText } from "./syncText";

interface TopBarProps {
  /** The page's name, and the way to others. */
  pages: ReactNode;
  status: SyncStatus;
  people: PersonHere[];
  /** Buttons for panels and windows. */
  tools: ReactNode;
}

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
export function TopBar({ pages, status, people, tools }: TopBarProps) {
  const sync = syncText(status);
  const names = people.map((person) => (person.me ? strings.people.you(person.name) : person.name));
  return (
    <header className="top-bar">
      <Mark />
      {pages}
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
      {tools}
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
