import { useEffect, useState } from "react";
import type { Page } from "../api/types";
import type { CanvasHandle } from "../canvas";
import { examplesOn } from "../chat/Examples";
import { Icon } from "../chat/Icon";
import { strings } from "../strings";

interface EmptyPageProps {
  handle: CanvasHandle;
  fairy: string;
  kind: Page["kind"];
  onPick(prompt: string): void;
}

/** On a page with nothing on it: three things to ask for, gone with the first stroke. */
export function EmptyPage({ handle, fairy, kind, onPick }: EmptyPageProps) {
  const [empty, setEmpty] = useState(false);
  useEffect(() => {
    const look = () => setEmpty(handle.isEmpty());
    look();
    return handle.onScene(look);
  }, [handle]);
  if (!empty) return null;
  const { title, lead } = kind === "text" ? strings.text.empty : strings.empty;
  return (
    <section className="empty-hint" data-testid="empty-page" data-kind={kind} aria-label={title}>
      <h2>{title}</h2>
      <p>{lead(fairy)}</p>
      <ul>
        {examplesOn(kind).map(({ icon, prompt }) => (
          <li key={prompt}>
            <button type="button" className="example" onClick={() => onPick(prompt)}>
              <Icon name={icon} />
              <span>{prompt}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
