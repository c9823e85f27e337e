import { useState } from "react";
import { failed } from "../api/failed";
import { strings } from "../strings";
import { Problem } from "./Problem";
import { suggestPageName } from "./pageName";

interface NewPageProps {
  names: readonly string[];
  onMake(name: string, kind: "canvas" | "text"): Promise<void>;
}

/** A button that turns into one line to name the page in. */
export function NewPage({ names, onMake }: NewPageProps) {
  const [name, setName] = useState<string | null>(null);
  const [kind, setKind] = useState<"canvas" | "text">("canvas");
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  if (name === null) {
    return (
      <button type="button" className="page-link page-add" onClick={() => setName(suggestPageName(names))}>
        <span aria-hidden="true">+</span> {strings.page.add}
      </button>
    );
  }

  const make = async () => {
    setWorking(true);
    setProblem(null);
    try {
      await onMake(name.trim(), kind);
    } catch (error) {
      setProblem(failed(error));
      setWorking(false);
    }
  };

  return (
    <form
      className="page-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() && !working) void make();
      }}
    >
      <input
        className="page-input"
        aria-label={strings.page.name}
        value={name}
        maxLength={200}
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
      />
      <select
        className="page-input"
        aria-label={strings.page.kind}
        value={kind}
        onChange={(event) => setKind(event.target.value === "text" ? "text" : "canvas")}
      >
        <option value="canvas">{strings.page.kinds.canvas}</option>
        <option value="text">{strings.page.kinds.text}</option>
      </select>
      <button type="submit" className="button small primary" disabled={!name.trim() || working}>
        {strings.page.make}
      </button>
      <Problem words={problem} />
    </form>
  );
}
