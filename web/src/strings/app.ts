import { plural } from "./plural";

/** The frame around everything: the way in, pages, files, people, whether the work is safe. */
export const app = {
  product: "Glade",
  opening: "Opening the glade…",
  title: (page: string) => `${page} · Glade`,

  key: {
    locks: {
      missing: {
        title: "This glade needs its key",
        what: "Open the link that you were given, or that the server printed when it started. It looks like this:",
      },
      wrong: {
        title: "This link does not open the glade",
        what: "The key in it is wrong, or not one of this glade. If somebody gave it to you, ask them for another.",
      },
      expired: { title: "Your link has expired", what: "It was made for a limited time. Ask whoever gave it to you for another." },
      revoked: {
        title: "Your link was taken back",
        what: "Whoever gave it to you has ended it. Ask them for another if you still need one.",
      },
      ended: { title: "You are signed out", what: "The session of this browser was ended. Open your link again to come back." },
    },
    example: (origin: string) => `${origin}/#key=…`,
    owner: "Is this glade yours? Its server prints the owner's link at every start.",
    replaced: {
      title: (name: string) => `You are now signed in as ${name} in this browser`,
      what: "That happened in another tab, so this one has stopped: nothing is written under another name. Changes that were not sent are kept in this browser.",
    },
    occupied: {
      title: (current: string) => `You are signed in as ${current}`,
      question: (current: string, offered: string) =>
        `Open this link as ${offered}? ${current} is then signed out in this browser. If you did not expect this link, stay.`,
      stay: (current: string) => `Stay ${current}`,
      replace: (offered: string) => `Open as ${offered}`,
    },
  },

  failure: {
    title: "The glade did not open",
    retry: "Try again",
    crashed: "Something broke on this page. What was saved is safe on the server.",
    reload: "Reload",
    noPage: "There is no page here that you may see. Ask whoever gave you the link; a page that opens to you comes up by itself.",
  },

  setAside: {
    what: (count: number, type: string, id: string, why: string) =>
      count === 1
        ? `One element of this page cannot be shown and was set aside: ${type || "something"} “${id}”, ${why}.`
        : `${count} elements of this page cannot be shown and were set aside. The first is ${type || "something"} “${id}”, ${why}.`,
    why: {
      name: (property: string) => `since “${property}” is no name for a property`,
      type: () => "since no page may have elements of its kind",
      value: (property: string) => `since its “${property}” is not what it should be`,
      large: (property: string) => `since its “${property}” is out of all bounds`,
      strokes: (property: string) => `since its “${property}” would take minutes to draw at its size`,
      page: () => "since all elements of this page together would take minutes to draw",
      table: () => "since the tables of this page have no room for it",
      broken: () => "since the editor breaks over it",
    },
    remove: (count: number) => (count === 1 ? "Delete it" : "Delete them"),
  },

  page: {
    untitled: "Untitled page",
    menu: "Pages",
    open: (name: string) => `Page: ${name}. Open another`,
    add: "New page",
    name: "Name of the new page",
    make: "Make",
    kind: "What the page is for",
    kinds: { canvas: "Canvas", text: "Text" },
    suggest: (n: number) => `Page ${n}`,
    fairies: (names: string) => `with ${names}`,
    waiting: (n: number) => `${n} to decide`,
    deleted: (name: string) => `“${name}” is in the trash.`,
    undelete: "Bring it back",
    tools: {
      of: (name: string) => `More about ${name}`,
      name: "Page name",
      tier: "Seen by",
      tierHint: "Links to every page still show it. To keep it from somebody, share by page, or “only pages seen by …”.",
      tiers: { internal: "internal", public: "public", private: "private" } as Record<string, string>,
      up: "Move up",
      down: "Move down",
      duplicate: "Duplicate",
      delete: "Delete",
      reallyDelete: "Really delete?",
    },
  },

  files: {
    saveAs: { png: "Save as PNG", svg: "Save as SVG", excalidraw: "Save as .excalidraw" },
    import: "Import a file…",
    tidy: "Tidy what is selected",
    tidyFailed: "This could not be laid out. Try again in a moment.",
    exportFailed: "The page could not be made into a file. Try again, or choose another format.",
    importedOtherwise: (name: string, notes: readonly string[]) =>
      `“${name}” is on the page, but not all of it as it was: ${notes.slice(0, 3).join("; ")}${notes.length > 3 ? `; and ${notes.length - 3} more.` : "."}`,
    nothingInIt: "There is nothing in it.",
    leftOut: (type: string, why: string) => `a ${type} was left out, ${why}`,
    importFailed: (name: string, why: string) => `“${name}” could not be put on the page. ${why}`.trim(),
  },

  empty: {
    title: "An open glade",
    lead: (fairy: string) => `Draw something, drop a file, or ask ${fairy}:`,
  },

  dialog: {
    close: "Close",
  },

  toasts: {
    one: "News",
    all: "News ({hotkey})",
  },

  tools: {
    counted: (label: string, n: number) => `${label}: ${n}`,
  },

  people: {
    here: (names: string) => `Here now: ${names}`,
    you: (name: string) => `${name} (you)`,
  },

  editor: {
    undo: "Undo my last edit",
    redo: "Redo my last edit",
    menu: "Menu of the canvas",
  },

  sync: {
    connecting: "Connecting…",
    saved: "Saved",
    saving: "Saving…",
    offline: "Offline",
    offlineWaiting: (n: number) => `Offline: ${plural(n, "change", "changes")} waiting`,
    viewOnly: "View only",
    refused: "A change was refused",
    closed: "Disconnected: reload the page",
    offlineHint: "Go on working: your changes are kept here and sent when the server is back.",
    viewOnlyHint: "This link lets you look. Ask the owner for a link that may edit.",
    eventsLost: "Looking for the server…",
  },

  refused: {
    what: (reason: string) => `${reason} The page shows what everyone has. Save a copy of your change if you need it.`,
    save: "Save a copy",
  },

  unsent: {
    of: (n: number, name: string) => `${plural(n, "change", "changes")} of ${name} ${n === 1 ? "was" : "were"} not sent.`,
    yours: (n: number) => `${plural(n, "change", "changes")} that you made here before ${n === 1 ? "was" : "were"} not sent.`,
    nobodys: (n: number) =>
      `${plural(n, "change", "changes")} made in this browser ${n === 1 ? "was" : "were"} not sent. Whose is not known.`,
    send: "Send now",
    discard: "Discard",
    reallyDiscard: "Really discard?",
  },

  errors: {
    unreachable: "The server did not answer. Check that it is running, then try again.",
    notSent: "Your words did not get through: the server is out of reach. Try again when the line is back.",
    streamLost: "The line dropped while your fairy was answering. It goes on working; the answer comes back when the line does.",
    byStatus: (status: number): string => {
      switch (status) {
        case 401:
          return "You are no longer signed in here. Open your link again.";
        case 403:
          return "This link does not allow that. Ask the owner for one that does.";
        case 404:
          return "The server does not know this any more. Reload the page.";
        case 409:
          return "Someone else was quicker. Look again, then retry.";
        case 413:
          return "That is too long. Make it shorter and send it again.";
        case 429:
          return "Too many requests at once. Wait a moment and try again.";
        case 503:
          return "The server is busy. Wait a moment and try again.";
        default:
          return status >= 500
            ? `The server had a problem (${status}). Try again; if it stays, look at the server's log.`
            : `The server said no (${status}). Reload the page and try again.`;
      }
    },
  },
} as const;
