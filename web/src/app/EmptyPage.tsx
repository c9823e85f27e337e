import { useEffect, useState } from "react";
import type { CanvasHandle } from "../canvas";
import { Icon } from "../chat/Icon";
import { strings } from "../strings";

interface EmptyPageProps {
  handle: CanvasHandle;
  fairy: string;
  onPick(prompt: string): void;
}

/** On a page with nothing on it: three things to ask for, gone with the first stroke. */
export function EmptyPage({ handle, fairy, onPick }: EmptyPageProps) {
  const [empty, setEmpty] = useState(false);
  useEffect(() => {
    const look = () => setEmpty(handle.isEmpty());
    look();
    return handle.onScene(look);
  }, [handle]);
  if (!empty) return null;
  return (
    <section className="empty-hint" data-testid="empty-page" aria-label={strings.empty.title}>
      <h2>{strings.empty.title}</h2>
      <p>{strings.empty.lead(fairy)}</p>
      <ul>
        {strings.chat.examples.map(({ icon, prompt }) => (
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
