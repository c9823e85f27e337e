/** Every word the studio says, in one place: to read, to improve, to translate. */

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const strings = {
  product: "Glade",
  opening: "Opening the glade…",
  title: (page: string) => `${page} · Glade`,

  key: {
    title: "This glade needs its key",
    missing: "Open the link that the server printed when it started. It looks like this:",
    example: "http://127.0.0.1:7878/#key=…",
    wrong: "The key in this link is wrong or no longer valid.",
    wrongNext: "The server prints a fresh link at every start. Open the newest one:",
    where: "No server window at hand? Start it again with “glade serve”: nothing is lost, and the link is printed anew.",
  },

  failure: {
    title: "The glade did not open",
    retry: "Try again",
    crashed: "Something broke on this page. What was saved is safe on the server.",
    reload: "Reload",
    noPage: "There is no page to show yet. Make one on the server, then reload.",
    textPage: "This page holds text. This studio shows canvas pages for now; open another page.",
  },

  page: {
    untitled: "Untitled page",
    menu: "Pages",
    open: (name: string) => `Page: ${name}. Open another`,
    add: "New page",
    name: "Name of the new page",
    make: "Make",
    suggest: (n: number) => `Page ${n}`,
    fairies: (names: string) => `with ${names}`,
    waiting: (n: number) => `${n} to decide`,
    deleted: (name: string) => `“${name}” is in the trash.`,
    undelete: "Bring it back",
    tools: {
      of: (name: string) => `More about ${name}`,
      name: "Page name",
      tier: "Seen by",
      tiers: { internal: "internal", public: "public", private: "private" } as Record<string, string>,
      up: "Move up",
      down: "Move down",
      duplicate: "Duplicate",
      delete: "Delete",
    },
  },

  files: {
    saveAs: { png: "Save as PNG", svg: "Save as SVG", excalidraw: "Save as .excalidraw" },
    import: "Import a file…",
    exportFailed: "The page could not be made into a file. Try again, or choose another format.",
    importFailed: (name: string, why: string) => `“${name}” could not be put on the page. ${why}`.trim(),
  },

  dialog: {
    close: "Close",
  },

  people: {
    here: (names: string) => `Here now: ${names}`,
    you: (name: string) => `${name} (you)`,
  },

  editor: {
    undo: "Undo my last edit",
    redo: "Redo my last edit",
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

  panel: {
    name: (fairy: string) => `Chat with ${fairy}`,
    hide: "Hide chat",
    show: (fairy: string) => `Chat with ${fairy}`,
    waiting: (n: number) => `${plural(n, "drawing", "drawings")} to keep or undo`,
    find: (fairy: string) => `Show ${fairy} on the page`,
    elsewhere: (page: string) => `on ${page}`,
    pick: "Fairy",
    noFairy: "No fairy lives here yet.",
    noFairyNext: "Add one on the server, and it will fly in.",
  },

  chat: {
    log: (fairy: string) => `Conversation with ${fairy}`,
    ask: (fairy: string) => `Ask ${fairy}`,
    placeholder: (fairy: string) => `Ask ${fairy} to draw something…`,
    placeholderBusy: "Say something else to change course…",
    send: "Send",
    stop: "Stop",
    hint: "Enter sends · Shift+Enter for a new line",
    along: "Goes along with your words",
    shapes: (n: number) => plural(n, "shape", "shapes"),
    shapesHint: "The selected shapes go along with your words",
    withoutShapes: "Leave the selected shapes out",
    view: "Your view",
    viewHint: "Your fairy is told which part of the page you see, and works there",
    viewOnly: "This link is view only: you can watch, but not ask.",
    you: "You",
    thought: "Thought",
    thinking: "Thinking…",
    hello: (fairy: string) => `Hi, I'm ${fairy}.`,
    invitation: "Tell me what to draw and watch me do it. You can draw beside me, stop me at any word, and keep or undo what I made.",
    tryOne: "Try one of these:",
    examples: [
      { icon: "flow", prompt: "Draw a flow: Order -> Pay -> Ship" },
      { icon: "notes", prompt: "Make sticky notes: Ideas, Questions, Next steps" },
      { icon: "sprout", prompt: "Draw a flow: Seed -> Sprout -> Leaf -> Flower" },
    ],
    failed: "That did not work.",
    tryAgain: "Try again",
    dismiss: "Dismiss",
    loading: "Fetching what was said…",
    historyLost: "What was said before could not be fetched.",
    jump: "New words below",
  },

  action: {
    goTo: (label: string) => `${label}: show on the page`,
    state: {
      partial: "in progress",
      done: "done",
      refused: "refused",
      reverted: "taken back",
      stopped: "stopped",
    },
    unnamed: "worked on the page",
  },

  run: {
    bar: (what: string) => `Decide about: ${what}`,
    keep: "Keep",
    undo: "Undo",
    show: "Show",
    undoPart: "Undo selected",
    part: (some: number, all: number) => `${some} of ${all} selected`,
    shapes: (n: number) => plural(n, "shape", "shapes"),
    stopped: "stopped early",
    failed: "ended with an error",
    elsewhere: (page: string) => `on ${page}`,
    untitled: "a drawing",
    undone: "Undone.",
    nothing: "There was nothing left to undo.",
    stayed: (n: number, who: string) =>
      n === 1
        ? `1 shape stayed because ${who} changed it.`
        : `${n} shapes stayed because ${who} changed them.`,
    verdict: {
      running: null,
      pending: null,
      kept: "kept",
      undone: "undone",
      cancelled: "stopped",
      failed: "failed",
    } as Record<string, string | null>,
    someone: "someone",
    you: "you",
  },

  why: {
    ask: "Why?",
    hint: "Who made this, and why",
    title: "Why is this here?",
    loading: "Looking it up…",
    person: "Drawn by a person.",
    drew: (name: string) => `${name} drew this`,
    changed: (name: string) => `${name} changed this`,
    gone: "A fairy that has left",
    asked: "Asked to:",
    jump: "Show in chat",
    close: "Close",
    again: "Try again",
    fate: {
      running: "at it now",
      pending: "not decided yet",
      kept: "kept",
      undone: "undone",
      cancelled: "stopped early",
      failed: "ended with an error",
    },
  },

  fairy: {
    talk: (name: string) => `Talk to ${name}`,
    tell: (name: string) => `Tell ${name}`,
    stop: (name: string) => `Stop ${name}`,
    menu: (name: string) => `What to do with ${name}`,
    deeds: {
      find: "Go to",
      summon: "Summon here",
      follow: "Follow",
      unfollow: "Stop following",
      sleep: "Send to sleep",
      wake: "Wake up",
      configure: "Settings…",
      debug: "Look inside…",
      reset: "Forget the conversation",
      dismiss: "Dismiss…",
    },
    following: (name: string) => `Following ${name}`,
    unfollow: "Stop",
    dismissed: (name: string) => `${name} has flown away. What it drew stays.`,
    dismissAsk: (name: string) => `Dismiss ${name}? It flies away for good; what it drew stays.`,
    dismissDo: "Dismiss",
    cancel: "Cancel",
    resetDone: (name: string) => `${name} has forgotten the conversation.`,
    thinking: "thinking",
    modes: {
      idling: "idle",
      sleeping: "asleep",
      pausing: "paused",
      "one-shotting": "working",
      soloing: "planning",
      "working-solo": "working",
      "working-drone": "working",
      "working-orchestrator": "working",
      "standing-by": "standing by",
      "orchestrating-active": "leading",
      "orchestrating-waiting": "waiting for the others",
      "duo-orchestrating-active": "leading",
      "duo-orchestrating-waiting": "waiting for its partner",
    } as Record<string, string>,
  },

  settings: {
    title: (name: string) => `Settings of ${name}`,
    name: "Name",
    hat: "Hat",
    hats: {
      top: "Top hat",
      pointy: "Pointy hat",
      bald: "No hat",
      antenna: "Antennae",
      spiky: "Spiky hair",
      hair: "A bun",
      ears: "Ears",
      propeller: "Propeller cap",
    },
    hatColor: "Hat colour",
    color: "Dress colour",
    model: "Answers with",
    personality: "Personality",
    personalityHint: "Careful and brief. Likes soft colours.",
    sign: "Sign",
    planFirst: "Plans first, then draws task by task",
    keepAtOnce: "What it draws is kept at once, without asking",
    scope: "What it may do, and where",
    pages: "Pages",
    everyPage: "Every page",
    region: "Region",
    myView: "Only in the part of the page I see now",
    inRegion: (w: number, h: number) => `Only in a region of ${w} × ${h}`,
    may: "It may",
    actions: { draw: "draw new things", change: "change and label things", arrange: "move and arrange things", remove: "delete things" },
    until: "Until",
    forever: "no end",
    untilTime: (time: string) => `until ${time}`,
    day: "a day from now",
    week: "a week from now",
    save: "Save",
  },

  errors: {
    unreachable: "The server did not answer. Check that it is running, then try again.",
    streamLost: "The line dropped while your fairy was answering. It goes on working; the answer comes back when the line does.",
    byStatus: (status: number): string => {
      switch (status) {
        case 401:
          return "Your key no longer opens this. Open the link that the server printed.";
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
