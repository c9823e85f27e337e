import { useCallback, useState, type FormEvent } from "react";
import { api } from "../api/client";
import type { PluginChange } from "../api/schema";
import { Problem } from "../app/Problem";
import { strings } from "../strings";
import { useSetting } from "./useSetting";

interface PluginSettingsProps {
  workspace: string;
  /** The names of the plugins that are switched off, as everybody was told. */
  off: readonly string[];
}

/** What text pages are made of: what is switched off is offered to nobody, and what is there of it stays. */
export function PluginSettings({ workspace, off }: PluginSettingsProps) {
  const words = strings.plugins;
  const read = useCallback(() => api.plugins(workspace), [workspace]);
  const { value: list, working, problem, change } = useSetting(read, (wanted: PluginChange) => api.changePlugins(workspace, wanted));
  const there = list?.embedHosts.join(", ") ?? "";
  /** As it is being typed; nothing while it is as the server has it. */
  const [typed, setTyped] = useState<string | null>(null);
  const hosts = typed ?? there;

  const saveHosts = async (event: FormEvent) => {
    event.preventDefault();
    if (
      await change({
        embedHosts: hosts
          .split(",")
          .map((host) => host.trim())
          .filter(Boolean),
      })
    )
      setTyped(null);
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
                aria-checked={!off.includes(name)}
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
        <form className="model-row" onSubmit={(event) => void saveHosts(event)}>
          <input
            className="input"
            aria-label={words.hosts}
            placeholder={words.hosts}
            value={hosts}
            onChange={(event) => setTyped(event.target.value)}
          />
          <button type="submit" className="button" disabled={working || hosts === there}>
            {words.save}
          </button>
        </form>
      )}
      <Problem words={problem} />
    </>
  );
}
