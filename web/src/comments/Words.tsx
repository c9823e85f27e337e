import { useState, type KeyboardEvent } from "react";

interface WordsProps {
  label: string;
  send: string;
  start?: string;
  placeholder?: string;
  onSend(text: string): void;
}

/** A few lines to write in; Enter sends them. */
export function Words({ label, send, start = "", placeholder = label, onSend }: WordsProps) {
  const [text, setText] = useState(start);
  const done = () => {
    const trimmed = text.trim();
    if (!trimmed) return;
    setText("");
    onSend(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    done();
  };
  return (
    <form
      className="comment-words"
      onSubmit={(event) => {
        event.preventDefault();
        done();
      }}
    >
      <textarea
        className="input"
        rows={1}
        aria-label={label}
        placeholder={placeholder}
        maxLength={4000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" className="button small primary" disabled={!text.trim()}>
        {send}
      </button>
    </form>
  );
}
