import { useState } from "react";
import { api } from "../api/client";
import type { ModelShown } from "../api/schema";
import type { Fairy } from "../api/types";
import { strings } from "../strings";

interface ModelSelectProps {
  name: string;
  model: string;
  label: string;
  onPick(model: string): void;
}

/** Chooses among the models that are there. The list is fetched whenever someone reaches for it. */
export function ModelSelect({ name, model, label, onPick }: ModelSelectProps) {
  const [models, setModels] = useState<ModelShown[]>([]);
  const look = () =>
    void api.models().then(
      ({ models }) => setModels(models),
      () => {},
    );
  const known = models.some((one) => one.name === model);
  return (
    <select
      className="model-pick"
      aria-label={name}
      title={label}
      value={model}
      onFocus={look}
      onPointerEnter={look}
      onChange={(event) => onPick(event.target.value)}
    >
      {!known && <option value={model}>{label}</option>}
      {models.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** What answers for a fairy; another can be chosen. */
export function ModelPick({ fairy, readOnly }: { fairy: Fairy; readOnly: boolean }) {
  if (readOnly) {
    return (
      <p className="panel-model" title={fairy.modelLabel}>
        {fairy.modelLabel}
      </p>
    );
  }
  return (
    <ModelSelect
      name={strings.chat.model(fairy.name)}
      model={fairy.model}
      label={fairy.modelLabel}
      onPick={(model) => void api.changeFairy(fairy.id, { model }).catch(() => {})}
    />
  );
}
