import { useImperativeHandle, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from "react";
import { strings } from "../strings";

export interface ComposerHandle {
  focus(): void;
  /** Says something as if it had been typed here. */
  say(text: string): void;
  /** Puts words there, to be changed and sent. */
  fill(text: string): void;
}

interface ComposerProps {
  ref?: Ref<ComposerHandle>;
  /** Whom one speaks to. */
  fairy: string;
  /** What the empty box says. */
  placeholder: string;
  /** The fairy is at work: Stop does something, and sending changes its course. */
  busy: boolean;
  stopping: boolean;
  readOnly: boolean;
  /** What goes along with the words. */
  chips: ReactNode;
  onSend(text: string): void;
  onStop(): void;
}

/** Where a person speaks. Stop is always in the same place, so that a hand finds it without looking. */
export function Composer({ ref, fairy, placeholder, busy, stopping, readOnly, chips, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(
    ref,
    () => ({
      focus: () => box.current?.focus(),
      say: onSend,
      fill: (words) => {
        setText(words);
        box.current?.focus();
      },
    }),
    [onSend],
  );
  const send = () => {
    const trimmed = text.trim();
    if (!trimmed || readOnly) return;
    setText("");
    onSend(trimmed);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends an input method's composition; that one is not ours.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {readOnly ? <p className="composer-note">{strings.chat.mayNotAsk}</p> : chips}
      <textarea
        ref={box}
        className="composer-box"
        aria-label={strings.chat.ask(fairy)}
        placeholder={busy ? strings.chat.placeholderBusy : placeholder}
        rows={2}
        value={text}
        disabled={readOnly}
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="composer-row">
        <span className="composer-hint">{strings.chat.hint}</span>
        <button type="button" className="button stop" disabled={!busy || stopping || readOnly} onClick={onStop}>
          <span className="stop-mark" aria-hidden="true" />
          {strings.chat.stop}
        </button>
        <button type="submit" className="button primary" disabled={!text.trim() || readOnly}>
          {strings.chat.send}
        </button>
      </div>
    </form>
  );
}
