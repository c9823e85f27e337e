import { useEffect, useState, type FormEvent } from "react";
import { api, type ModelList } from "../api/client";
import { Problem } from "../app/Problem";
import { strings } from "../strings";

const PROVIDERS = ["anthropic", "openai", "gemini", "local"] as const;
type Provider = (typeof PROVIDERS)[number];

/** What answers for fairies: which models there are, keys for more of them, and whether they answer. */
export function ModelSettings() {
  const words = strings.models;
  const [list, setList] = useState<ModelList | null>(null);
  const [provider, setProvider] = useState<Provider>("anthropic");
  const [key, setKey] = useState("");
  const [baseUrl, setBaseUrl] = useState("");
  const [names, setNames] = useState("");
  const [test, setTest] = useState("");
  const [working, setWorking] = useState<"save" | "test" | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [saved, setSaved] = useState(false);

  const fail = (error: unknown) => setProblem(error instanceof Error ? error.message : strings.errors.unreachable);
  useEffect(() => {
    api.models().then(setList, fail);
  }, []);

  const change = async (what: "save" | "test", wanted: Parameters<typeof api.changeModels>[0]) => {
    setWorking(what);
    setProblem(null);
    setSaved(false);
    try {
      setList(await api.changeModels(wanted));
      if (what === "save") {
        setKey("");
        setSaved(true);
      }
    } catch (error) {
      fail(error);
    } finally {
      setWorking(null);
    }
  };

  const save = (event: FormEvent) => {
    event.preventDefault();
    const models = names.split(",").map((name) => name.trim()).filter(Boolean);
    void change("save", {
      provider,
      ...(key.trim() ? { key: key.trim() } : {}),
      ...(baseUrl.trim() ? { baseUrl: baseUrl.trim() } : {}),
      ...(models.length > 0 ? { models } : {}),
    });
  };

  const result = list?.test;
  return (
    <>
      <p className="hint">{words.lead}</p>
      <h3>{words.there}</h3>
      <ul className="model-list">
        {list?.models.map(({ name, label }) => (
          <li key={name}>
            <span>
              {label}
              {name === list.default && <small>{words.default}</small>}
            </span>
            <button type="button" className="button small" aria-label={words.testOf(label)} disabled={working !== null} onClick={() => void change("test", { test: name })}>
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
            <input className="input" value={baseUrl} placeholder={provider === "local" ? "http://127.0.0.1:11434" : words.usual} onChange={(event) => setBaseUrl(event.target.value)} />
          </label>
          <label className="field">
            <span>{words.names}</span>
            <input className="input" value={names} placeholder={words.namesHint} onChange={(event) => setNames(event.target.value)} />
          </label>
        </div>
        <div className="model-row">
          <button type="submit" className="button primary" disabled={working !== null || !(key.trim() || baseUrl.trim() || names.trim())}>
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
                {key === "settings" && (
                  <button type="button" className="button small" disabled={working !== null} onClick={() => void change("save", { provider: name, key: "" })}>
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
          if (test.trim()) void change("test", { test: test.trim() });
        }}
      >
        <input className="input" aria-label={words.other} placeholder={words.other} value={test} onChange={(event) => setTest(event.target.value)} />
        <button type="submit" className="button" disabled={working !== null || !test.trim()}>
          {working === "test" ? words.testing : words.test}
        </button>
      </form>
      <Problem words={problem} />
    </>
  );
}
