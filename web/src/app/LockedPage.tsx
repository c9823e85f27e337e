import { lazy, Suspense } from "react";
import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";
import type { Lock } from "./session";

// It brings the document's library along, which a locked door should not have to wait for.
const UnsentChanges = lazy(() => import("./UnsentChanges"));

/** No way in: says why in plain words, what to do, and what of one's work is still here. */
export function LockedPage({ lock }: { lock: Lock }) {
  const { title, what } = strings.key.locks[lock];
  return (
    <main className="gate">
      <div className="gate-card">
        <span className="gate-art">
          <FairyArt color="#7048e8" hat="pointy" hatColor="#2f9e44" pose="sleeping" />
        </span>
        <h1>{title}</h1>
        <p>{what}</p>
        {lock === "missing" && <code>{strings.key.example(location.origin)}</code>}
        <p className="gate-small">{strings.key.owner}</p>
        <Suspense fallback={null}>
          <UnsentChanges me={null} />
        </Suspense>
      </div>
    </main>
  );
}
