import { useEffect, useRef, useState } from "react";
import { strings } from "../strings";
import { Tip } from "../ui/Tip";
import { IconButton } from "../ui/IconButton";

interface SpriteInputProps {
  fairy: string;
  busy: boolean;
  onSend(text: string): void;
  onStop(): void;
  onLeave(): void;
}

/** A line to speak into, right at the fairy. */
export function SpriteInput({ fairy, busy, onSend, onStop, onLeave }: SpriteInputProps) {
  const [text, setText] = useState("");
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const send = () => {
    const trimmed = text.trim();
    if (!trimmed) return;
    setText("");
    onSend(trimmed);
  };
  return (
    <form
      className="sprite-input"
      data-testid="sprite-input"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        // The editor listens to the whole document.
        event.stopPropagation();
        if (event.key === "Escape") onLeave();
      }}
    >
      <input
        ref={box}
        aria-label={strings.fairy.tell(fairy)}
        placeholder={busy ? strings.chat.placeholderBusy : strings.chat.placeholder(fairy)}
        value={text}
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
      />
      {busy && (
        <Tip says={strings.fairy.stop(fairy)}>
          <button type="button" className="sprite-stop" aria-label={strings.fairy.stop(fairy)} onClick={onStop}>
            <span className="stop-mark" aria-hidden="true" />
          </button>
        </Tip>
      )}
      <IconButton type="submit" className="sprite-send" label={strings.chat.send} icon="up" disabled={!text.trim()} />
    </form>
  );
}
