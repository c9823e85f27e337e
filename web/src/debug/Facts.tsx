import { strings } from "../strings";

interface ModeChange {
  at: number;
  from: string;
  to: string;
}

const isModeChange = (value: unknown): value is ModeChange => {
  const { at, from, to } = (value ?? {}) as Partial<ModeChange>;
  return typeof at === "number" && typeof from === "string" && typeof to === "string";
};

function Fact({ value }: { value: unknown }) {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return <>–</>;
  if (typeof value !== "object") return <>{String(value)}</>;
  if (Array.isArray(value) && value.every(isModeChange)) {
    return (
      <ol className="debug-modes">
        {value.map(({ at, from, to }) => (
          <li key={`${at} ${to}`}>
            <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time> {strings.debug.modes(from, to)}
          </li>
        ))}
      </ol>
    );
  }
  return (
    <details>
      <summary>{Object.keys(value).join(", ")}</summary>
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}

/** What a fairy is, by name: plain values as they are, the way through its modes, the rest folded. */
export function Facts({ facts }: { facts: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="debug-facts">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{strings.debug.facts[name] ?? name}</dt>
          <dd>
            <Fact value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
