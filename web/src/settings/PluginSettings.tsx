import { useEffect, useState, type FormEvent } from "react";
import { api, type PluginChange, type PluginList } from "../api/client";
import { Problem } from "../app/Problem";
import { strings } from "../strings";

interface PluginSettingsProps {
  workspace: string;
  /** The names of the plugins that are switched off, as everybody was told. */
  off: readonly string[];
}

/** What text pages are made of: what is switched off is offered to nobody, and what is there of it stays. */
export function PluginSettings({ workspace, off }: PluginSettingsProps) {
  const words = strings.plugins;
  const [list, setList] = useState<PluginList | null>(null);
  const [hosts, setHosts] = useState("");
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const take = (next: PluginList) => {
    setList(next);
    setHosts(next.embedHosts.join(", "));
  };
  const fail = (error: unknown) => setProblem(error instanceof Error ? error.message : strings.errors.unreachable);
  useEffect(() => {
    api.plugins(workspace).then(take, fail);
  }, [workspace]);

  const change = async (wanted: PluginChange) => {
    setWorking(true);
    setProblem(null);
    try {
      take(await api.changePlugins(workspace, wanted));
    } catch (error) {
      fail(error);
    } finally {
      setWorking(false);
    }
  };

  const saveHosts = (event: FormEvent) => {
    event.preventDefault();
    void change({ embedHosts: hosts.split(",").map((host) => host.trim()).filter(Boolean) });
  };

  return (
    <>
      <p className="hint">{words.lead}</p>
      <ul className="plugin-list">
        {list?.plugins.map(({ name, about, always }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                role="switch"
                checked={!off.includes(name)}
                disabled={always || working}
                onChange={(event) => void change({ enabled: { [name]: event.target.checked } })}
              />
              <span>
                {words.names[name] ?? name}
                <small>{always ? words.always(about) : about}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {!off.includes("embeds") && (
        <form className="model-row" onSubmit={saveHosts}>
          <input className="input" aria-label={words.hosts} placeholder={words.hosts} value={hosts} onChange={(event) => setHosts(event.target.value)} />
          <button type="submit" className="button" disabled={working || hosts === list?.embedHosts.join(", ")}>
            {words.save}
          </button>
        </form>
      )}
      <Problem words={problem} />
    </>
  );
}
