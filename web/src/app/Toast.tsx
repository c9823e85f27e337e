import { useEffect } from "react";
import type { Workspace } from "../api/types";
import { Notice } from "../chat/Notice";

/** Something that just happened, said over the canvas for a while; what can be undone can be undone here. */
export interface Toast {
  tone: "calm" | "bad";
  text: string;
  action?: { label: string; run(): void };
  /** Whether it is still true; once it is not, it goes. */
  stands?(workspace: Workspace): boolean;
}

const SHOWN_MS = 12_000;

interface ToastViewProps {
  toast: Toast;
  workspace: Workspace;
  onDismiss(): void;
}

export function ToastView({ toast, workspace, onDismiss }: ToastViewProps) {
  const stands = toast.stands?.(workspace) ?? true;
  useEffect(() => {
    if (!stands) onDismiss();
  }, [stands, onDismiss]);
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
