/** What the first screen does not need. It is fetched when the page can be used and the browser has nothing else to do. */
export const later = {
  chat: () => import("../chat/ChatPanel"),
  changes: () => import("../changes/ChangesDialog"),
  settings: () => import("../settings/SettingsDialog"),
  share: () => import("../share/ShareDialog"),
  fairySettings: () => import("../fairies/FairySettings"),
  debug: () => import("../debug/DebugDialog"),
  fairies: () => import("../panels/FairiesPanel"),
  group: () => import("../panels/GroupPanel"),
  search: () => import("../panels/SearchPanel"),
  tasks: () => import("../panels/TasksPanel"),
  comments: () => import("../panels/CommentsPanel"),
};

/** If one fails here, using it tries again and says so. */
function fetchLater(): void {
  for (const load of Object.values(later)) load().catch(() => {});
}

/** Not every browser says when it is idle. */
export const whenIdle = () => ("requestIdleCallback" in globalThis ? requestIdleCallback(fetchLater) : setTimeout(fetchLater, 300));
