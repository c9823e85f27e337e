import type { Fairy } from "../api/types";
import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";
import type { Whereabouts } from "./whereabouts";

/** The sprite of a fairy beside what it reads or changes. */
export function AtWork({ fairy, work }: { fairy: Fairy | undefined; work: Whereabouts }) {
  const words = strings.code.atWork(fairy?.name ?? strings.code.who, work.path, work.writes);
  return (
    <span className="code-sprite" data-testid="code-sprite" data-writes={work.writes || undefined} title={words}>
      <FairyArt
        color={fairy?.color ?? "#7048e8"}
        hat={fairy?.hat ?? "pointy"}
        hatColor={fairy?.hatColor ?? "#2f9e44"}
        pose={work.writes ? "working" : "thinking"}
      />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
