import { strings } from "../strings";
import { Icon } from "./Icon";

interface ExamplesProps {
  fairy: string;
  readOnly: boolean;
  onPick(prompt: string): void;
}

/** An empty chat is an invitation: three things that work with no key and no network. */
export function Examples({ fairy, readOnly, onPick }: ExamplesProps) {
  return (
    <section className="examples">
      <p className="examples-hello">{strings.chat.hello(fairy)}</p>
      <p>{strings.chat.invitation}</p>
      {!readOnly && (
        <>
          <p className="examples-lead">{strings.chat.tryOne}</p>
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
        </>
      )}
    </section>
  );
}
