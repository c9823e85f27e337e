import { FairyArt } from "../fairies/FairyArt";
import { strings } from "../strings";

/** Another tab signed in as somebody else: this one has stopped, and goes on as them only when its person says so. */
export function ReplacedPage({ name }: { name: string }) {
  const words = strings.key.replaced;
  return (
    <main className="gate">
      <div className="gate-card" role="alert">
        <span className="gate-art">
          <FairyArt color="#7048e8" hat="pointy" hatColor="#2f9e44" pose="waiting" />
        </span>
        <h1>{words.title(name)}</h1>
        <p>{words.what}</p>
        <button type="button" className="button primary" onClick={() => location.reload()}>
          {strings.failure.reload}
        </button>
      </div>
    </main>
  );
}
