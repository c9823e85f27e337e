import { useCallback, useEffect, useRef, type ReactNode } from "react";
import type { Fairy, Project } from "../api/types";
import { useFairyPresences } from "../app/usePresence";
import type { CanvasHandle } from "../canvas";
import { useMotion } from "../canvas/motion";
import { useGlued } from "../canvas/useGlued";
import { colorOf, projectOf } from "../projects/project";
import { FairySprite, type SpriteActions } from "./FairySprite";
import { FairyViews } from "./FairyViews";
import { apart, fairiesOnPage, inPlaces } from "./roster";

interface FairyOverlayProps extends SpriteActions {
  handle: CanvasHandle;
  page: string;
  fairies: readonly Fairy[];
  projects: readonly Project[];
  chosen: readonly string[];
  readOnly: boolean;
  /** These and no others are chosen now. */
  onChooseOnly(fairies: string[]): void;
  /** What to show at a chosen fairy when it is the only one. */
  speak(fairy: string): ReactNode;
}

/** While the view moves, where fairies are is shown this often, and how they look more seldom: the canvas needs the time. */
const MOVING_MS = { places: 250, looks: 1000 };

/** All fairies on the page, over the canvas; only the sprites themselves take the mouse. */
export function FairyOverlay({ handle, page, fairies, projects, chosen, readOnly, onChooseOnly, speak, ...act }: FairyOverlayProps) {
  const layer = useRef<HTMLDivElement>(null);
  const moving = useMotion(handle, (moves) => layer.current?.toggleAttribute("data-panning", moves));
  const places = useFairyPresences(useCallback(() => (moving.current ? MOVING_MS.places : 0), [moving]));
  const looks = useFairyPresences(useCallback(() => (moving.current ? MOVING_MS.looks : 0), [moving]));
  const shown = apart(fairiesOnPage(fairies, page, inPlaces(looks, places)));

  const colorFor = (id: string) => {
    const project = projectOf(id, projects);
    return project ? colorOf(project) : null;
  };

  // A selection drawn over fairies chooses them; a press on the empty canvas lets go of them.
  const latest = useRef({ shown, onChooseOnly });
  latest.current = { shown, onChooseOnly };
  useEffect(
    () =>
      handle.onMarquee((area) => {
        if (!area) return;
        const { shown, onChooseOnly } = latest.current;
        const inside = ({ position: { x, y } }: (typeof shown)[number]) =>
          x >= area.x && x <= area.x + area.w && y >= area.y && y <= area.y + area.h;
        onChooseOnly(shown.filter(inside).map(({ id }) => id));
      }),
    [handle],
  );

  const sheet = useGlued<HTMLDivElement>(handle);

  return (
    <div ref={layer} className="fairies">
      <FairyViews handle={handle} fairies={shown.filter(({ id }) => chosen.includes(id))} />
      <div ref={sheet} className="glued">
        {shown.map((fairy) => (
          <FairySprite
            key={fairy.id}
            handle={handle}
            moving={moving}
            fairy={fairy}
            chosen={chosen.includes(fairy.id)}
            readOnly={readOnly}
            project={colorFor(fairy.id)}
            {...act}
          >
            {chosen.length === 1 && chosen[0] === fairy.id && speak(fairy.id)}
          </FairySprite>
        ))}
      </div>
    </div>
  );
}
