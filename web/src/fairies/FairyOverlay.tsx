import type { Fairy } from "../api/types";
import type { CanvasHandle } from "../canvas";
import type { Presence } from "../sync";
import { FairySprite } from "./FairySprite";
import { fairiesOnPage } from "./roster";

interface FairyOverlayProps {
  handle: CanvasHandle;
  page: string;
  fairies: readonly Fairy[];
  presences: readonly Presence[];
  onTalk(fairy: string): void;
}

/** All fairies on the page, in screen space over the canvas; only the sprites themselves take the mouse. */
export function FairyOverlay({ handle, page, fairies, presences, onTalk }: FairyOverlayProps) {
  return (
    <div className="fairies">
      {fairiesOnPage(fairies, page, presences).map((fairy) => (
        <FairySprite key={fairy.id} handle={handle} fairy={fairy} onTalk={onTalk} />
      ))}
    </div>
  );
}
