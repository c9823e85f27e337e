import { useState } from "react";
import { api, type ModelShown } from "../api/client";
import type { Fairy } from "../api/types";
import { strings } from "../strings";

/** What answers for a fairy; another can be chosen. The list is fetched when someone reaches for it. */
export function ModelPick({ fairy, readOnly }: { fairy: Fairy; readOnly: boolean }) {
  const [models, setModels] = useState<ModelShown[]>([]);
  if (readOnly) {
    return (
      <p className="panel-model" title={fairy.modelLabel}>
        {fairy.modelLabel}
      </p>
    );
  }
  const look = () => {
    if (models.length === 0) api.models().then(({ models }) => setModels(models), () => {});
  };
  const known = models.some(({ name }) => name === fairy.model);
  return (
    <select
      className="model-pick"
      aria-label={strings.chat.model(fairy.name)}
      title={fairy.modelLabel}
      value={fairy.model}
      onFocus={look}
      onPointerEnter={look}
      onChange={(event) => void api.changeFairy(fairy.id, { model: event.target.value }).catch(() => {})}
    >
      {!known && <option value={fairy.model}>{fairy.modelLabel}</option>}
      {models.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}
