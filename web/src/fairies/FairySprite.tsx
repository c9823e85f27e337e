import { useState, type MouseEvent, type PointerEvent, type ReactNode, type RefObject } from "react";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import type { Point } from "../sync";
import { DRAGGED_TASK } from "../tasks/TaskCard";
import { FairyArt } from "./FairyArt";
import { FAIRY_COLOR, mix, paint } from "./paint";
import type { Appearance } from "./roster";
import { useFlight } from "./useFlight";
import { usePickUp } from "./usePickUp";

export interface SpriteActions {
  /** Chosen by a click; with shift beside those that are chosen already. */
  onChoose(fairy: string, also: boolean): void;
  onFollow(fairy: string): void;
  /** Asked for its menu, at a point of the window. */
  onMenu(fairy: string, at: Point): void;
  /** Dropped or thrown somewhere on this page; rejects when it must go back. */
  onPut(fairy: string, to: Point): Promise<void>;
  /** A task was dropped on it. */
  onTask(fairy: string, task: string): void;
}

interface FairySpriteProps extends SpriteActions {
  handle: CanvasHandle;
  /** Whether the view moves now. */
  moving: RefObject<boolean>;
  fairy: Appearance;
  chosen: boolean;
  readOnly: boolean;
  /** The colour of the project that it is at. */
  project: string | null;
  /** Goes where the sprite goes: where one speaks to it. */
  children?: ReactNode;
}

/** One fairy over the canvas: the sprite, its name, and a line with what it is doing. */
export function FairySprite({ handle, moving, fairy, chosen, readOnly, project, children, ...act }: FairySpriteProps) {
  const { root, figure, goHome, ...body } = useFlight(handle, moving, fairy.position, fairy.flip);
  const [held, setHeld] = useState(false);
  const [over, setOver] = useState(false);
  const pickUp = usePickUp({
    handle,
    fixed: readOnly,
    place: body.place,
    carry: (to) => {
      setHeld(true);
      body.carry(to);
    },
    letGo: (speed) => {
      setHeld(false);
      return body.letGo(speed);
    },
    onPut: (to) => {
      act.onPut(fairy.id, to).catch(goHome);
    },
  });
  const color = paint(fairy.color, FAIRY_COLOR);
  const pose = held ? "soaring" : fairy.pose;

  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    // The menu key has no pointer: the sprite's own place will do.
    const box = event.currentTarget.getBoundingClientRect();
    const byKey = event.clientX === 0 && event.clientY === 0;
    act.onMenu(fairy.id, byKey ? { x: box.right, y: box.top } : { x: event.clientX, y: event.clientY });
  };

  return (
    <div
      className="fairy"
      ref={root}
      data-chosen={chosen || undefined}
      data-held={held || undefined}
      data-over={over || undefined}
      data-project={project ?? undefined}
      style={{
        ...(project ? { ["--project-color" as string]: project } : {}),
        ["--fairy-ink" as string]: mix(color, "#1b1322", 0.35),
        ["--fairy-color" as string]: color,
      }}
    >
      {fairy.doing && !held && <span className="fairy-speech">{fairy.doing}</span>}
      <button
        type="button"
        className="fairy-sprite"
        data-testid="fairy-sprite"
        data-fairy={fairy.id}
        data-pose={pose}
        data-expression={fairy.expression}
        aria-label={strings.fairy.talk(fairy.name)}
        aria-pressed={chosen}
        {...pickUp.handlers}
        onPointerDown={(event: PointerEvent<HTMLElement>) => {
          event.stopPropagation();
          pickUp.handlers.onPointerDown(event);
        }}
        onClick={(event) => {
          if (!pickUp.moved()) act.onChoose(fairy.id, event.shiftKey);
        }}
        onDoubleClick={() => act.onFollow(fairy.id)}
        onContextMenu={onContextMenu}
        onDragOver={(event) => {
          if (readOnly || !event.dataTransfer.types.includes(DRAGGED_TASK)) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          const task = event.dataTransfer.getData(DRAGGED_TASK);
          if (task) act.onTask(fairy.id, task);
        }}
      >
        <span className="fairy-figure" ref={figure}>
          <span className="fairy-bob" data-pose={pose}>
            <FairyArt color={fairy.color} hat={fairy.hat} hatColor={fairy.hatColor} pose={pose} expression={fairy.expression} />
          </span>
        </span>
      </button>
      <span className="fairy-name" aria-hidden="true">
        {fairy.name}
      </span>
      {children}
    </div>
  );
}
