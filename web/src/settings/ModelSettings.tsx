import { useEffect, useState, type FormEvent } from "react";
import { api } from "../api/client";
import { ConfirmButton } from "../app/ConfirmButton";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { useSetting } from "./useSetting";

const PROVIDERS = ["anthropic", "openai", "gemini", "local"] as const;
type Provider = (typeof PROVIDERS)[number];
/** Their addresses are their own: without a key they are gone. */
const HOSTED: ReadonlySet<string> = new Set(["anthropic", "openai", "gemini"]);

/** What answers for fairies: which models there are, keys for more of them, and whether they answer. */
export function ModelSettings() {
  const words = strings.models;
  const { value: list, working, problem, change } = useSetting(api.models, api.changeModels);
  const [provider, setProvider] = useState<Provider>("anthropic");
  const [key, setKey] = useState("");
  const [baseUrl, setBaseUrl] = useState("");
  const [names, setNames] = useState("");
  const [test, setTest] = useState("");
  const [testing, setTesting] = useState(false);
  const [saved, setSaved] = useState(false);

  const known = list?.providers.find(({ name }) => name === provider);
  const [knownUrl, knownNames] = [known?.baseUrl ?? "", known?.models.join(", ") ?? ""];
  // What was typed is one provider's: another's key must not go to its address. What is saved of it is shown.
  useEffect(() => {
    setKey("");
    setBaseUrl(knownUrl);
    setNames(knownNames);
  }, [provider, knownUrl, knownNames]);

  const store = async (wanted: Parameters<typeof change>[0]) => {
    setSaved(false);
    const taken = await change(wanted);
    setSaved(taken);
    if (taken) setKey("");
  };
  const remove = (name: string) => void store({ provider: name, key: "", baseUrl: "", models: [] });

  const tryOut = async (model: string) => {
    setSaved(false);
    setTesting(true);
    await change({ test: model });
    setTesting(false);
  };

  /** The built-in model is nobody's to tell. */
  const tellWhetherItSees = (model: string, sees: boolean) => {
    const [of = "", ...name] = model.split("/");
    void store({ provider: of, sees: { [name.join("/")]: sees } });
  };

  const save = (event: FormEvent) => {
    event.preventDefault();
    const models = names
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    void store({
      provider,
      ...(key.trim() ? { key: key.trim() } : {}),
      ...(baseUrl.trim() === knownUrl ? {} : { baseUrl: baseUrl.trim() }),
      ...(models.join(", ") === knownNames ? {} : { models }),
    });
  };

  const result = list?.test;
  return (
    <>
      <p className="hint">{words.lead}</p>
      <h3>{words.there}</h3>
      <ul className="model-list">
        {list?.models.map(({ name, label, sees }) => (
          <li key={name}>
            <span>
              {label}
              {name === list.default && <small>{words.default}</small>}
            </span>
            {list.providers.length > 0 && name.includes("/") && (
              <label className="check">
                <input
                  type="checkbox"
                  aria-label={words.seesOf(label)}
                  checked={sees}
                  disabled={working}
                  onChange={(event) => tellWhetherItSees(name, event.target.checked)}
                />
                <span>{words.sees}</span>
              </label>
            )}
            <button
              type="button"
              className="button small"
              aria-label={words.testOf(label)}
              disabled={working}
              onClick={() => void tryOut(name)}
            >
              {words.test}
            </button>
          </li>
        ))}
      </ul>
      {result && (
        <p className="model-result" role="status" data-ok={result.ok || undefined}>
          {words.result(result.model, result.detail)}
        </p>
      )}
      <h3>{words.set}</h3>
      <form onSubmit={save}>
        <div className="two">
          <label className="field">
            <span>{words.provider}</span>
            <select className="input" value={provider} onChange={(event) => setProvider(event.target.value as Provider)}>
              {PROVIDERS.map((each) => (
                <option key={each} value={each}>
                  {words.providers[each]}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>{words.key}</span>
            <input className="input" type="password" autoComplete="off" value={key} onChange={(event) => setKey(event.target.value)} />
          </label>
          <label className="field">
            <span>{words.address}</span>
            <input
              className="input"
              value={baseUrl}
              placeholder={provider === "local" ? "http://127.0.0.1:11434" : words.usual}
              onChange={(event) => setBaseUrl(event.target.value)}
            />
          </label>
          <label className="field">
            <span>{words.names}</span>
            <input className="input" value={names} placeholder={words.namesHint} onChange={(event) => setNames(event.target.value)} />
          </label>
        </div>
        <div className="model-row">
          <button
            type="submit"
            className="button primary"
            disabled={working || !(key.trim() || baseUrl.trim() !== knownUrl || names.trim() !== knownNames)}
          >
            {words.save}
          </button>
          {saved && <span role="status">{words.saved}</span>}
        </div>
      </form>
      {list && list.providers.length > 0 && (
        <>
          <h3>{words.have}</h3>
          <ul className="model-list">
            {list.providers.map(({ name, baseUrl, key }) => (
              <li key={name}>
                <span>
                  {words.providers[name as Provider] ?? name}
                  <small>{[baseUrl, words.keyFrom[key] ?? key].filter(Boolean).join(" · ")}</small>
                </span>
                {!HOSTED.has(name) && (
                  <ConfirmButton label={words.remove} really={words.reallyRemove} disabled={working} onConfirm={() => remove(name)} />
                )}
                {key === "settings" && (
                  <button type="button" className="button small" disabled={working} onClick={() => void store({ provider: name, key: "" })}>
                    {words.forget}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <form
        className="model-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (test.trim()) void tryOut(test.trim());
        }}
      >
        <input
          className="input"
          aria-label={words.other}
          placeholder={words.other}
          value={test}
          onChange={(event) => setTest(event.target.value)}
        />
        <button type="submit" className="button" disabled={working || !test.trim()}>
          {testing ? words.testing : words.test}
        </button>
      </form>
      <Problem words={problem} />
    </>
  );
}
