import type { ReactNode } from "react";
import { FairyArt } from "../fairies/FairyArt";
import type { Pose } from "../fairies/roster";

interface PlainPageProps {
  pose: Pose;
  title?: string;
  children: ReactNode;
  action?: { label: string; run(): void };
}

/** A page that is only a fairy and a sentence: opening, nothing here, something broke. */
export function PlainPage({ pose, title, children, action }: PlainPageProps) {
  return (
    <main className="gate">
      <div className="gate-card">
        <span className="gate-art">
          <FairyArt color="#7048e8" hat="pointy" hatColor="#2f9e44" pose={pose} />
        </span>
        {title && <h1>{title}</h1>}
        <p role="status">{children}</p>
        {action && (
          <button type="button" className="button primary" onClick={action.run}>
            {action.label}
          </button>
        )}
      </div>
    </main>
  );
}
