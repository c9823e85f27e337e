import type { Fairy } from "../api/types";
import { useFairyPresence } from "../app/usePresence";
import { FairyArt } from "../fairies/FairyArt";
import { appearance, describeMode } from "../fairies/roster";
import { strings } from "../strings";
import { ModelPick } from "./ModelPick";

interface PanelHeaderProps {
  fairy: Fairy;
  busy: boolean;
  /** The page it is on, when that is not the one on screen. */
  elsewhere: string | null;
  readOnly: boolean;
  phone: boolean;
  open: boolean;
  onFind(): void;
  onToggle(): void;
}

/** Who one is talking to, what it is doing, and what answers for it. */
export function PanelHeader({ fairy, busy, elsewhere, readOnly, phone, open, onFind, onToggle }: PanelHeaderProps) {
  const presence = useFairyPresence(fairy.id);
  const look = appearance(fairy, presence);
  const pose = busy && look.pose === "idle" ? "thinking" : look.pose;
  return (
    <header className="panel-header">
      <span className="avatar">
        <FairyArt color={look.color} hat={look.hat} hatColor={look.hatColor} pose={pose} />
      </span>
      <div className="panel-who">
        <h2>{fairy.name}</h2>
        <p className="panel-mode" data-busy={busy || undefined} aria-live="off">
          {describeMode(fairy, presence, busy)}
          {elsewhere && ` · ${strings.panel.elsewhere(elsewhere)}`}
        </p>
        <ModelPick fairy={fairy} readOnly={readOnly} />
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={strings.panel.find(fairy.name)}
        title={strings.panel.find(fairy.name)}
        onClick={onFind}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="5.5" />
          <path d="M10 1.5v4M10 14.5v4M1.5 10h4M14.5 10h4" />
        </svg>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={open ? strings.panel.hide : strings.panel.show(fairy.name)}
        aria-expanded={open}
        aria-controls="chat-panel-body"
        title={open ? strings.panel.hide : strings.panel.show(fairy.name)}
        onClick={onToggle}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d={phone ? (open ? "M4 7.5l6 6 6-6" : "M4 12.5l6-6 6 6") : "M7.5 4l6 6-6 6"} />
        </svg>
      </button>
    </header>
  );
}
