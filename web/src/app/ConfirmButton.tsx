import { useEffect, useState } from "react";

/** Long enough to read the question, short enough that a forgotten one does no harm later. */
const ASKS_MS = 4000;
/** A double click is one wish, not a wish and its confirmation. */
const DEAF_MS = 400;

interface ConfirmButtonProps {
  label: string;
  /** What it says once pressed: a second press does it. */
  really: string;
  className?: string;
  disabled?: boolean;
  onConfirm(): void;
}

/** For what cannot be taken back: asks in its own place, and only a second press does it. */
export function ConfirmButton({ label, really, className = "button small", disabled = false, onConfirm }: ConfirmButtonProps) {
  const [asked, setAsked] = useState<number | null>(null);
  useEffect(() => {
    if (asked === null) return;
    const timer = setTimeout(() => setAsked(null), ASKS_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  const press = () => {
    if (asked === null) return setAsked(Date.now());
    if (Date.now() - asked < DEAF_MS) return;
    setAsked(null);
    onConfirm();
  };
  return (
    <button
      type="button"
      className={asked === null ? className : `${className} really`}
      disabled={disabled}
      onClick={press}
      onBlur={() => setAsked(null)}
    >
      {asked === null ? label : really}
    </button>
  );
}
