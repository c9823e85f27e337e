import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import { FairyArt } from "./FairyArt";
import { FAIRY_COLOR, mix, paint } from "./paint";
import type { Appearance } from "./roster";
import { useFlight } from "./useFlight";

interface FairySpriteProps {
  handle: CanvasHandle;
  fairy: Appearance;
  onTalk(fairy: string): void;
}

/** One fairy over the canvas: the sprite, its name, and a line with what it is doing. */
export function FairySprite({ handle, fairy, onTalk }: FairySpriteProps) {
  const { root, figure } = useFlight(handle, fairy.position, fairy.flip);
  const color = paint(fairy.color, FAIRY_COLOR);
  return (
    <div className="fairy" ref={root} style={{ ["--fairy-ink" as string]: mix(color, "#1b1322", 0.35) }}>
      {fairy.doing && <span className="fairy-speech">{fairy.doing}</span>}
      <button
        type="button"
        className="fairy-sprite"
        data-testid="fairy-sprite"
        data-fairy={fairy.id}
        aria-label={strings.fairy.talk(fairy.name)}
        onClick={() => onTalk(fairy.id)}
      >
        <span className="fairy-figure" ref={figure}>
          <span className="fairy-bob" data-pose={fairy.pose}>
            <FairyArt color={fairy.color} hat={fairy.hat} hatColor={fairy.hatColor} pose={fairy.pose} />
          </span>
        </span>
      </button>
      <span className="fairy-name" aria-hidden="true">
        {fairy.name}
      </span>
    </div>
  );
}
