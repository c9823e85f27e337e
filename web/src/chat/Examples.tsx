import type { Page } from "../api/types";
import { strings } from "../strings";
import { Icon } from "./Icon";

interface ExamplesProps {
  fairy: string;
  /** What the page on screen is for. */
  kind: Page["kind"];
  readOnly: boolean;
  onPick(prompt: string): void;
}

/** Three things to ask for on a page of this kind. */
export const examplesOn = (kind: Page["kind"]) => (kind === "text" ? strings.text.examples : strings.chat.examples);

/** An empty chat is an invitation: three things that work with no key and no network. */
export function Examples({ fairy, kind, readOnly, onPick }: ExamplesProps) {
  return (
    <section className="examples">
      <p className="examples-hello">{strings.chat.hello(fairy)}</p>
      <p>{kind === "text" ? strings.text.invitation : strings.chat.invitation}</p>
      {!readOnly && (
        <>
          <p className="examples-lead">{strings.chat.tryOne}</p>
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
        </>
      )}
    </section>
  );
}
