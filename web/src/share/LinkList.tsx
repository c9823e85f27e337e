import type { Link } from "../api/schema";
import type { Page } from "../api/types";
import { ConfirmButton } from "../app/ConfirmButton";
import { strings } from "../strings";
import { describeLink, stateOf } from "./links";

interface LinkListProps {
  links: readonly Link[];
  pages: readonly Page[];
  onRevoke(id: string): void;
}

/** The links that one gave away. A row stays where it is when its link is taken back: the next one must not come under the pointer. */
export function LinkList({ links, pages, onRevoke }: LinkListProps) {
  const words = strings.share;
  const now = Date.now();
  if (links.length === 0) return null;
  return (
    <>
      <h3>{words.given}</h3>
      <ul className="share-links" data-testid="share-given">
        {links.map((link) => {
          const state = stateOf(link, now);
          return (
            <li key={link.id} data-state={state}>
              <span>
                <b>{link.label || words.unnamed}</b>
                <small>{describeLink(link, pages)}</small>
              </span>
              {state === "alive" ? (
                <ConfirmButton label={words.revoke} really={words.reallyRevoke} onConfirm={() => onRevoke(link.id)} />
              ) : (
                <small>{words.states[state]}</small>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
