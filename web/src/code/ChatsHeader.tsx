import { useState } from "react";
import { Confirm } from "../ui/Dialog";
import { ModelSelect } from "../chat/ModelPick";
import { strings } from "../strings";
import { IconButton } from "../ui/IconButton";
import type { Fairy } from "../api/types";
import type { CodeChat } from "./types";

interface ChatsHeaderProps {
  chats: readonly CodeChat[];
  active: CodeChat | undefined;
  /** The chat on the screen is at work. */
  busy: boolean;
  model: { name: string; label: string };
  fairies: readonly Fairy[];
  /** Who answers in the chat on the screen. */
  fairy: Fairy | undefined;
  readOnly: boolean;
  mayRemove: boolean;
  onPick(chat: string): void;
  onNew(): void;
  onRename(chat: string, title: string): void;
  onRemove(chat: string): void;
  onModel(model: string): void;
  onFairy(chat: string, fairy: string): void;
  onClose(): void;
}

/** Which chat one is in, the way to others, and what answers. */
export function ChatsHeader({
  chats,
  active,
  busy,
  model,
  fairies,
  fairy,
  readOnly,
  mayRemove,
  onPick,
  onNew,
  onRename,
  onRemove,
  onModel,
  onFairy,
  onClose,
}: ChatsHeaderProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [removing, setRemoving] = useState(false);
  const name = (chat: CodeChat) => chat.title || strings.code.untitled;
  const tool = (icon: string, label: string, run: () => void, disabled = false) => (
    <IconButton label={label} icon={icon} disabled={disabled} onClick={run} />
  );
  return (
    <header className="code-chats">
      <div className="code-chats-row">
        {draft !== null && active ? (
          <form
            className="code-rename"
            onSubmit={(event) => {
              event.preventDefault();
              if (draft.trim()) onRename(active.id, draft.trim());
              setDraft(null);
            }}
          >
            <input
              className="input"
              aria-label={strings.code.renameTo}
              autoFocus
              maxLength={200}
              value={draft}
              onChange={(event) => setDraft(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Escape") setDraft(null);
              }}
            />
            <button type="submit" className="button small primary">
              {strings.code.save}
            </button>
          </form>
        ) : (
          <>
            <select
              className="input code-chat-pick"
              aria-label={strings.code.chats}
              value={active?.id ?? ""}
              onChange={(event) => onPick(event.target.value)}
            >
              {chats.map((chat) => (
                <option key={chat.id} value={chat.id}>
                  {name(chat)}
                </option>
              ))}
            </select>
            {!readOnly && tool("plus", strings.code.newChat, onNew)}
            {!readOnly && active && tool("create", strings.code.rename, () => setDraft(active.title))}
            {mayRemove && active && tool("delete", strings.code.remove, () => setRemoving(true), busy)}
          </>
        )}
        <IconButton label={strings.code.close} onClick={onClose} />
      </div>
      {!readOnly && <ModelSelect name={strings.code.model} model={model.name} label={model.label} onPick={onModel} />}
      {!readOnly && active && fairies.length > 0 && (
        <select
          className="input code-fairy-pick"
          aria-label={strings.code.answers}
          value={fairy?.id ?? ""}
          onChange={(event) => onFairy(active.id, event.target.value)}
        >
          {!fairy && <option value="">{strings.code.who}</option>}
          {fairies.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {removing && active && (
        <Confirm
          title={strings.code.removeTitle}
          text={strings.code.removeText}
          label={strings.code.remove}
          onYes={() => onRemove(active.id)}
          onClose={() => setRemoving(false)}
        />
      )}
    </header>
  );
}
