import { useCallback, useEffect, useRef } from "react";
import { useFairyPresences } from "../app/usePresence";
import type { CanvasHandle } from "../canvas";
import { useMotion } from "../canvas/motion";
import { useGlued } from "../canvas/useGlued";
import { colorOf, projectOf } from "../projects/project";
import { runningRun } from "../api/workspace";
import { useRights } from "../state/select";
import { useParts, useStudio } from "../state/store";
import { SpriteInput } from "./SpriteInput";
import { FairySprite } from "./FairySprite";
import { FairyViews } from "./FairyViews";
import { apart, fairiesOnPage, inPlaces } from "./roster";

/** Words for one chosen fairy, at the fairy herself. */
function Speak({ fairy }: { fairy: string }) {
  const { workspace, ask, stop, choose } = useParts("workspace", "ask", "stop", "choose");
  const mayAsk = useRights().ask;
  const who = workspace.fairies.find(({ id }) => id === fairy);
  if (!who || !mayAsk) return null;
  return (
    <SpriteInput
      fairy={who.name}
      busy={runningRun(workspace, fairy) !== undefined}
      onSend={ask}
      onStop={() => stop(fairy)}
      onLeave={() => choose([])}
    />
  );
}

/** While the view moves, where fairies are is shown this often, and how they look more seldom: the canvas needs the time. */
const MOVING_MS = { places: 250, looks: 1000 };

/** All fairies on the page, over the canvas; only the sprites themselves take the mouse. */
export function FairyOverlay({ handle, page }: { handle: CanvasHandle; page: string }) {
  const { fairies, projects } = useStudio(({ workspace: { fairies, projects } }) => ({ fairies, projects }));
  const chosen = useStudio((state) => state.chosen.filter((id) => state.workspace.fairies.some((fairy) => fairy.id === id)));
  const { choose, chooseFairy, follow, fairyMenu, put, assign } = useParts("choose", "chooseFairy", "follow", "fairyMenu", "put", "assign");
  const readOnly = !useRights().ask;
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
  const latest = useRef(shown);
  latest.current = shown;
  useEffect(
    () =>
      handle.onMarquee((area) => {
        if (!area) return;
        const inside = ({ position: { x, y } }: (typeof shown)[number]) =>
          x >= area.x && x <= area.x + area.w && y >= area.y && y <= area.y + area.h;
        choose(latest.current.filter(inside).map(({ id }) => id));
      }),
    [handle, choose],
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
            onChoose={chooseFairy}
            onFollow={follow}
            onMenu={fairyMenu}
            onPut={put}
            onTask={(who, task) => assign(task, who)}
          >
            {chosen.length === 1 && chosen[0] === fairy.id && <Speak fairy={fairy.id} />}
          </FairySprite>
        ))}
      </div>
    </div>
  );
}
