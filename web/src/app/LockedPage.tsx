import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";

interface LockedPageProps {
  reason: "missing" | "wrong";
}

/** No key, no glade: says so kindly, and where the key is. */
export function LockedPage({ reason }: LockedPageProps) {
  return (
    <main className="gate">
      <div className="gate-card">
        <span className="gate-art">
          <FairyArt color="#7048e8" hat="pointy" hatColor="#2f9e44" pose="sleeping" />
        </span>
        <h1>{strings.key.title}</h1>
        {reason === "wrong" ? (
          <p>
            {strings.key.wrong} {strings.key.wrongNext}
          </p>
        ) : (
          <p>{strings.key.missing}</p>
        )}
        <code>{strings.key.example}</code>
        <p className="gate-small">{strings.key.where}</p>
      </div>
    </main>
  );
}
