import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { strings } from "../strings";

interface DialogProps {
  title: string;
  /** Wide: for what is read more than filled in. */
  wide?: boolean;
  children: ReactNode;
  /** The buttons at the end. */
  foot?: ReactNode;
  onClose(): void;
}

/** A window over the studio. The browser's own: it keeps the focus inside, and Escape closes it. */
export function Dialog({ title, wide = false, children, foot, onClose }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Closed before it leaves the page: only then does the browser give the focus back to whoever opened it.
  useLayoutEffect(() => {
    const { current } = box;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={box}
      className="dialog"
      data-wide={wide || undefined}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // The editor listens to the whole document: what is typed here is not for it.
      onKeyDown={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      <div className="dialog-inner">
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" className="icon-button" aria-label={strings.dialog.close} onClick={onClose}>
            <span aria-hidden="true">×</span>
          </button>
        </header>
        <div className="dialog-body">{children}</div>
        {foot && <footer>{foot}</footer>}
      </div>
    </dialog>
  );
}

/** Asks before something that cannot be taken back. */
export function Confirm({
  title,
  text,
  label,
  onYes,
  onClose,
}: {
  title: string;
  text: string;
  label: string;
  onYes(): void;
  onClose(): void;
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="button" onClick={onClose}>
            {strings.fairy.cancel}
          </button>
          <button
            type="button"
            className="button danger"
            onClick={() => {
              onClose();
              onYes();
            }}
          >
            {label}
          </button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
