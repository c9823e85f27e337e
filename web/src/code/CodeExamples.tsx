import { strings } from "../strings";

interface CodeExamplesProps {
  project: string;
  /** Absent for who may not ask. */
  onPick?(words: string): void;
}

/** What a chat about code begins with. */
export function CodeExamples({ project, onPick }: CodeExamplesProps) {
  return (
    <div className="examples">
      <p className="examples-hello">{strings.code.hello(project)}</p>
      <p>{strings.code.invitation}</p>
      {onPick && (
        <ul>
          {strings.code.examples.map((words) => (
            <li key={words}>
              <button type="button" className="example" onClick={() => onPick(words)}>
                {words}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
