import { Plugin } from "prosemirror-state";

/** Pressed on the way to another key. */
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta"]);

/**
 * The way out for the keyboard: in the text Tab indents, goes to the next cell or writes spaces, but right after
 * Escape it is the browser's, and leads on to what comes after the text, or with Shift to what comes before it.
 */
export function leaving(): Plugin {
  let mayLeave = false;
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (_view, event) => {
          if (MODIFIERS.has(event.key)) return false;
          const leaves = mayLeave && event.key === "Tab";
          mayLeave = event.key === "Escape";
          // Taken from all other keys of the editor, and left to the browser.
          return leaves;
        },
        mousedown: () => (mayLeave = false),
        blur: () => (mayLeave = false),
      },
    },
  });
}
