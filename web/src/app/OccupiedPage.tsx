import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";

interface OccupiedPageProps {
  /** Who is signed in. */
  current: string;
  /** Whose the link is. */
  offered: string;
  onAnswer(replace: boolean): void;
}

/** A link never takes the place of a session unasked. */
export function OccupiedPage({ current, offered, onAnswer }: OccupiedPageProps) {
  const words = strings.key.occupied;
  return (
    <main className="gate">
      <div className="gate-card">
        <span className="gate-art">
          <FairyArt color="#7048e8" hat="pointy" hatColor="#2f9e44" pose="waiting" />
        </span>
        <h1>{words.title(current)}</h1>
        <p>{words.question(current, offered)}</p>
        <p>
          <button type="button" className="button primary" onClick={() => onAnswer(false)}>
            {words.stay(current)}
          </button>{" "}
          <button type="button" className="button" onClick={() => onAnswer(true)}>
            {words.replace(offered)}
          </button>
        </p>
      </div>
    </main>
  );
}
