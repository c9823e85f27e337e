import { useState } from "react";
import { strings } from "../strings";
import { Popup, type Spot } from "../ui/Popup";

interface DecideProps {
  label: string;
  color: string;
  /** Beside a change that was pressed; without it, in place. */
  at?: Spot;
  onKeep(): Promise<void>;
  onUndo(): Promise<void>;
}

/** Keep or undo one thing that a fairy did: a change, or all it did to a block. */
export function Decide({ label, color, at, onKeep, onUndo }: DecideProps) {
  const [working, setWorking] = useState(false);
  const settle = (how: () => Promise<void>) => () => {
    setWorking(true);
    void how().finally(() => setWorking(false));
  };
  const inside = (
    <>
      <span className="text-decide-who" style={{ ["--run-color" as string]: color }}>
        {label}
      </span>
      <button type="button" className="button small" disabled={working} onClick={settle(onUndo)}>
        {strings.run.undo}
      </button>
      <button type="button" className="button small primary" disabled={working} onClick={settle(onKeep)}>
        {strings.run.keep}
      </button>
    </>
  );
  return at ? (
    <Popup at={at} className="text-decide" label={label} role="dialog">
      {inside}
    </Popup>
  ) : (
    <div className="text-decide" role="group" aria-label={label}>
      {inside}
    </div>
  );
}
