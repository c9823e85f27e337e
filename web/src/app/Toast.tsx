import { useEffect } from "react";
import { Notice } from "../chat/Notice";

/** Something that just happened, said over the canvas for a while; what can be undone can be undone here. */
export interface Toast {
  tone: "calm" | "bad";
  text: string;
  action?: { label: string; run(): void };
}

const SHOWN_MS = 12_000;

export function ToastView({ toast, onDismiss }: { toast: Toast; onDismiss(): void }) {
  useEffect(() => {
    if (toast.tone === "bad") return;
    const timer = setTimeout(onDismiss, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, onDismiss]);
  return (
    <div className="canvas-notice">
      <Notice tone={toast.tone} {...(toast.action ? { action: toast.action } : {})} onDismiss={onDismiss}>
        {toast.text}
      </Notice>
    </div>
  );
}
