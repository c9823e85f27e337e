import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { standing } from "./grants";
import type { ChangeKind, CodeChat, Reach } from "./types";

interface AllowedProps {
  allowed: CodeChat["allowed"];
  readOnly: boolean;
  /** Takes a standing yes back. */
  onTakeBack(reach: Reach & { kind: ChangeKind }): void;
}

/** What a chat may change without asking, each with the way to take it back. */
export function Allowed({ allowed, readOnly, onTakeBack }: AllowedProps) {
  const words = strings.code.allowed;
  const given = standing(allowed);
  if (given.length === 0) return null;
  return (
    <ul className="allowed" aria-label={words.title}>
      {given.map(({ kind, path, reach }) => {
        const what = words.kinds[kind];
        const label = path === undefined ? words.takeBackAll(what) : words.takeBackFor(what, path);
        return (
          <li key={`${kind} ${path ?? ""}`}>
            <span>{path === undefined ? words.chat(what) : words.path(what, path)}</span>
            {!readOnly && (
              <Tip says={label}>
                <button type="button" className="link-button" aria-label={label} onClick={() => onTakeBack({ ...reach, kind })}>
                  {words.takeBack}
                </button>
              </Tip>
            )}
          </li>
        );
      })}
    </ul>
  );
}
