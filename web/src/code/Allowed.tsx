import { strings } from "../strings";
import type { CodeChat, Reach } from "./types";

interface AllowedProps {
  allowed: CodeChat["allowed"];
  readOnly: boolean;
  /** Takes a standing yes back. */
  onTakeBack(reach: Reach): void;
}

/** What a chat may change without asking, each with the way to take it back. */
export function Allowed({ allowed, readOnly, onTakeBack }: AllowedProps) {
  const words = strings.code.allowed;
  const given: { key: string; what: string; label: string; reach: Reach }[] = allowed.paths.map((path) => ({
    key: path,
    what: words.path(path),
    label: words.takeBackFor(path),
    reach: { scope: "paths", paths: [path] },
  }));
  if (allowed.chat) given.unshift({ key: "", what: words.chat, label: words.takeBackAll, reach: { scope: "chat" } });
  if (given.length === 0) return null;
  return (
    <ul className="allowed" aria-label={words.title}>
      {given.map(({ key, what, label, reach }) => (
        <li key={key}>
          <span>{what}</span>
          {!readOnly && (
            <button type="button" className="link-button" aria-label={label} title={label} onClick={() => onTakeBack(reach)}>
              {words.takeBack}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
