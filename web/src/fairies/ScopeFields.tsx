import type { FairyScope, Page } from "../api/types";
import { useStudio } from "../state/store";
import { strings } from "../strings";
import type { Rect } from "../sync";
import { allows, KINDS_OF_WORK, withKind, type KindOfWork } from "./kindsOfWork";

interface ScopeFieldsProps {
  scope: FairyScope;
  pages: readonly Page[];
  view: Rect | null;
  onChange(scope: FairyScope): void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const KINDS = Object.keys(KINDS_OF_WORK) as KindOfWork[];
const whole = ({ x, y, w, h }: Rect): Rect => ({ x: Math.round(x), y: Math.round(y), w: Math.round(w), h: Math.round(h) });

/** Without what limits nothing. */
export function tidy(scope: FairyScope | null | undefined): FairyScope {
  const set = Object.entries(scope ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(set) as FairyScope;
}

/** What a fairy may do and where: pages, a region, kinds of work, until when. */
export function ScopeFields({ scope, pages, view, onChange }: ScopeFieldsProps) {
  const words = strings.settings;
  const hasCode = useStudio(({ workspace }) => workspace.code !== null);
  const set = (change: FairyScope) => onChange(tidy({ ...scope, ...change }));
  return (
    <details className="scope" open={Object.keys(scope).length > 0}>
      <summary>{words.scope}</summary>
      <fieldset className="field">
        <legend>{words.pages}</legend>
        <label className="check">
          <input type="checkbox" checked={!scope.pages} onChange={(event) => set({ pages: event.target.checked ? null : [] })} />
          <span>{words.everyPage}</span>
        </label>
        {scope.pages &&
          pages.map((page) => (
            <label key={page.id} className="check">
              <input
                type="checkbox"
                checked={scope.pages?.includes(page.id) ?? false}
                onChange={(event) =>
                  set({ pages: (scope.pages ?? []).filter((id) => id !== page.id).concat(event.target.checked ? [page.id] : []) })
                }
              />
              <span>{page.name || strings.page.untitled}</span>
            </label>
          ))}
      </fieldset>
      <fieldset className="field">
        <legend>{words.region}</legend>
        <label className="check">
          <input
            type="checkbox"
            disabled={!view && !scope.region}
            checked={Boolean(scope.region)}
            onChange={(event) => set({ region: event.target.checked && view ? whole(view) : null })}
          />
          <span>{scope.region ? words.inRegion(Math.round(scope.region.w), Math.round(scope.region.h)) : words.myView}</span>
        </label>
      </fieldset>
      <fieldset className="field">
        <legend>{words.may}</legend>
        {KINDS.filter((kind) => kind !== "code" || hasCode).map((kind) => (
          <label key={kind} className="check">
            <input
              type="checkbox"
              checked={allows(scope.actions, kind)}
              onChange={(event) => set({ actions: withKind(scope.actions, kind, event.target.checked) })}
            />
            <span>{words.actions[kind]}</span>
          </label>
        ))}
      </fieldset>
      {hasCode && (
        <label className="field">
          <span>{words.paths}</span>
          <textarea
            className="input"
            rows={2}
            placeholder={words.everyFile}
            defaultValue={(scope.paths ?? []).join("\n")}
            onChange={(event) => {
              const paths = event.target.value.split("\n").map((path) => path.trim());
              const named = paths.filter(Boolean);
              set({ paths: named.length > 0 ? named : null });
            }}
          />
        </label>
      )}
      <label className="field">
        <span>{words.until}</span>
        <select
          className="input"
          value={scope.expiresAt ? "set" : ""}
          onChange={(event) => set({ expiresAt: event.target.value ? Date.now() + Number(event.target.value) * DAY_MS : null })}
        >
          <option value="">{words.forever}</option>
          {scope.expiresAt && <option value="set">{words.untilTime(new Date(scope.expiresAt).toLocaleString())}</option>}
          <option value="1">{words.day}</option>
          <option value="7">{words.week}</option>
        </select>
      </label>
    </details>
  );
}
