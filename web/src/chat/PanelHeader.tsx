import type { Fairy } from "../api/types";
import { useFairyPresence } from "../app/usePresence";
import { FairyArt } from "../fairies/FairyArt";
import { appearance, describeMode } from "../fairies/roster";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";
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
      <IconButton label={strings.panel.find(fairy.name)} icon="find" onClick={onFind} />
      <IconButton
        label={open ? strings.panel.hide : strings.panel.show(fairy.name)}
        icon={phone ? (open ? "unfold" : "fold") : "aside"}
        aria-expanded={open}
        aria-controls="chat-panel-body"
        onClick={onToggle}
      />
    </header>
  );
}
