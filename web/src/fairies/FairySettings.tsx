import { useEffect, useState, type FormEvent } from "react";
import { api } from "../api/client";
import type { ModelList } from "../api/schema";
import { failed } from "../api/failed";
import type { Fairy, FairyChange, FairyScope, Page } from "../api/types";
import { Dialog } from "../ui/Dialog";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import type { Rect } from "../sync";
import { FairyArt } from "./FairyArt";
import { ScopeFields, tidy } from "./ScopeFields";

export const HATS = ["top", "pointy", "bald", "antenna", "spiky", "hair", "ears", "propeller"] as const;
export const COLORS = ["#2f9e44", "#7048e8", "#1971c2", "#e03131", "#f08c00", "#0c8599", "#c2255c", "#868e96"] as const;

interface FairySettingsProps {
  fairy: Fairy;
  pages: readonly Page[];
  /** What the person sees now: the region they can choose. */
  view: Rect | null;
  onSaved(): void;
  onCancel(): void;
}

/** Only what differs goes to the server. */
function changesOf(fairy: Fairy, wanted: FairyChange): FairyChange {
  const before: FairyChange = {
    ...fairy,
    personality: fairy.personality ?? "",
    sign: fairy.sign ?? "",
    planFirst: fairy.planFirst ?? false,
    keepAtOnce: fairy.keepAtOnce ?? false,
    scope: tidy(fairy.scope),
  };
  const differs = (key: keyof FairyChange) => JSON.stringify(before[key]) !== JSON.stringify(wanted[key]);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => differs(key as keyof FairyChange))) as FairyChange;
}

/** Who a fairy is, what answers for it, and what it may do. */
export default function FairySettings({ fairy, pages, view, onSaved, onCancel }: FairySettingsProps) {
  const words = strings.settings;
  const [name, setName] = useState(fairy.name);
  const [personality, setPersonality] = useState(fairy.personality ?? "");
  const [model, setModel] = useState(fairy.model);
  const [hat, setHat] = useState(fairy.hat);
  const [hatColor, setHatColor] = useState(fairy.hatColor);
  const [color, setColor] = useState(fairy.color);
  const [sign, setSign] = useState(fairy.sign ?? "");
  const [planFirst, setPlanFirst] = useState(fairy.planFirst ?? false);
  const [keepAtOnce, setKeepAtOnce] = useState(fairy.keepAtOnce ?? false);
  const [scope, setScope] = useState<FairyScope>(() => tidy(fairy.scope));
  const [models, setModels] = useState<ModelList | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    api.models().then(setModels, () => setModels(null));
  }, []);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const change = changesOf(fairy, { name: name.trim(), personality, model, hat, hatColor, color, sign, planFirst, keepAtOnce, scope });
      if (Object.keys(change).length > 0) await api.changeFairy(fairy.id, change);
      onSaved();
    } catch (error) {
      setProblem(failed(error));
    }
  };

  const swatches = (label: string, value: string, set: (color: string) => void) => (
    <fieldset className="field">
      <legend>{label}</legend>
      <div className="swatches">
        {[...new Set([...COLORS, value])].map((each) => (
          <button
            key={each}
            type="button"
            className="swatch"
            aria-label={each}
            aria-pressed={each === value}
            style={{ background: each }}
            onClick={() => set(each)}
          />
        ))}
      </div>
    </fieldset>
  );

  const known = models?.models ?? [];
  return (
    <Dialog
      title={words.title(fairy.name)}
      onClose={onCancel}
      foot={
        <>
          <Problem words={problem} />
          <button type="button" className="button" onClick={onCancel}>
            {strings.fairy.cancel}
          </button>
          <button type="submit" form="fairy-settings" className="button primary" disabled={!name.trim()}>
            {words.save}
          </button>
        </>
      }
    >
      <form id="fairy-settings" onSubmit={(event) => void save(event)}>
        <div className="settings-top">
          <span className="settings-art">
            <FairyArt color={color} hat={hat} hatColor={hatColor} pose="idle" />
          </span>
          <label className="field">
            <span>{words.name}</span>
            <input className="input" value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
          </label>
        </div>
        <fieldset className="field">
          <legend>{words.hat}</legend>
          <div className="hats">
            {HATS.map((each) => (
              <button
                key={each}
                type="button"
                className="hat"
                aria-label={words.hats[each]}
                title={words.hats[each]}
                aria-pressed={each === hat}
                onClick={() => setHat(each)}
              >
                <FairyArt color={color} hat={each} hatColor={hatColor} pose="idle" />
              </button>
            ))}
          </div>
        </fieldset>
        <div className="two">
          {swatches(words.hatColor, hatColor, setHatColor)}
          {swatches(words.color, color, setColor)}
        </div>
        <label className="field">
          <span>{words.model}</span>
          <select className="input" value={model} onChange={(event) => setModel(event.target.value)}>
            {!known.some((each) => each.name === model) && <option value={model}>{fairy.modelLabel || model}</option>}
            {known.map((each) => (
              <option key={each.name} value={each.name}>
                {each.label}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{words.personality}</span>
          <textarea
            className="input"
            value={personality}
            maxLength={2000}
            placeholder={words.personalityHint}
            onChange={(event) => setPersonality(event.target.value)}
          />
        </label>
        <label className="field">
          <span>{words.sign}</span>
          <input className="input" value={sign} maxLength={60} onChange={(event) => setSign(event.target.value)} />
        </label>
        <label className="check">
          <input type="checkbox" checked={planFirst} onChange={(event) => setPlanFirst(event.target.checked)} />
          <span>{words.planFirst}</span>
        </label>
        <label className="check">
          <input type="checkbox" checked={keepAtOnce} onChange={(event) => setKeepAtOnce(event.target.checked)} />
          <span>{words.keepAtOnce}</span>
        </label>
        <ScopeFields scope={scope} pages={pages} view={view} onChange={setScope} />
      </form>
    </Dialog>
  );
}
