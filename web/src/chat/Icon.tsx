/** Small line drawings for what fairies do: emoji look different, or like empty boxes, from machine to machine. */
const PATHS: Record<string, string> = {
  find: "M15.5 10a5.5 5.5 0 1 0-11 0 5.5 5.5 0 0 0 11 0M10 1.5v4M10 14.5v4M1.5 10h4M14.5 10h4",
  aside: "M7.5 4l6 6-6 6",
  fold: "M4 12.5l6-6 6 6",
  unfold: "M4 7.5l6 6 6-6",
  create: "M4 16l1-4 8.5-8.5 3 3L8 15zM11.5 5.5l3 3",
  update: "M10 3a7 7 0 1 0 0 14c1.5 0 1.8-1 1.3-2-.6-1.2.2-2.5 1.7-2.5h2c1.2 0 2-.9 2-2.3C17 6 14 3 10 3zM6.5 9.5h.01M9 6.5h.01M13 7h.01",
  label: "M4 5h12M10 5v11M8 16h4",
  move: "M10 3v14M3 10h14M10 3L8 5M10 3l2 2M10 17l-2-2M10 17l2-2M3 10l2-2M3 10l2 2M17 10l-2-2M17 10l-2 2",
  delete: "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6",
  connect: "M3 10h12M11 6l4 4-4 4",
  message: "M4 5h12v8H9l-3 3v-3H4z",
  write: "M4 16l1-4 8.500-8.500 3 3L8 15zM12 17h5",
  block: "M4 5h12M4 9h12M4 13h7M15 12v5M12.500 14.500h5",
  mark: "M6 4h5a3 3 0 0 1 0 6H6zM6 10h6a3 3 0 0 1 0 6H6z",
  table: "M3 5h14v11H3zM3 9h14M8 5v11",
  formula: "M15 4H6l5 6-5 6h9",
  mention: "M13 10a3 3 0 1 0-6 0 3 3 0 0 0 6 0zM13 7v4a2 2 0 0 0 4 0v-1a7 7 0 1 0-3 5.700",
  think: "M6 12a3.5 3.5 0 0 1 .5-6.5 4 4 0 0 1 7.5 1 3 3 0 0 1-.5 5.5zM6 15h.01M4 17h.01",
  flow: "M3 8h4v4H3zM13 8h4v4h-4zM7 10h6M11 8l2 2-2 2",
  notes: "M4 4h12v8l-4 4H4zM12 16v-4h4M7 8h6M7 11h3",
  sprout: "M10 17v-7M10 10C10 7 8 5 4 5c0 3.5 2 5 6 5zM10 12c0-2.5 1.5-4 5.5-4 0 3-1.5 4-5.5 4z",
  shapes: "M3 8h8v8H3zM9 8V4h8v8h-6",
  view: "M2 10c2-3.6 4.8-5.5 8-5.5s6 1.9 8 5.5c-2 3.6-4.8 5.5-8 5.5s-6-1.9-8-5.5zM10 7.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  download: "M10 3v9M6 8.5l4 4 4-4M4 16h12",
  upload: "M10 13V4M6 7.5l4-4 4 4M4 16h12",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  up: "M10 16V5M5.5 9.5L10 5l4.5 4.5",
  down: "M10 4v11M5.5 10.5L10 15l4.5-4.5",
  copy: "M7 7h9v9H7zM4 13V4h9",
  grip: "M8 5h.01M12 5h.01M8 10h.01M12 10h.01M8 15h.01M12 15h.01",
  fairies:
    "M9.6 11C7.4 4.6 1.8 4 1.8 7.8c0 2.800 4.8 4.2 7.8 3.8zM10.4 11c2.2-6.4 7.800-7 7.800-3.2 0 2.800-4.8 4.2-7.8 3.8zM9.6 12.4c-3-.2-6 1.400-5 3.400.8 1.800 4.200.4 5.400-2.800 1.200 3.200 4.600 4.600 5.400 2.800 1-2-2-3.600-5-3.400",
  share:
    "M7 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM19 4.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zM19 15.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zM6.600 8.600l7.500-3.500M6.600 11.400l7.500 3.500",
  gear: "M10 7.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600zM10 2v2.500M10 15.500V18M2 10h2.500M15.500 10H18M4.300 4.300l1.800 1.800M13.900 13.900l1.800 1.800M15.700 4.300l-1.800 1.800M6.100 13.900l-1.800 1.800",
  tasks: "M4 5.500l1.500 1.500L8 4M4 12.500L5.500 14 8 11M11 6h6M11 13h6",
  link: "M8 12l4-4M9 6l2-2a3.500 3.500 0 0 1 5 5l-2 2M11 14l-2 2a3.500 3.500 0 0 1-5-5l2-2",
  search: "M8.500 3.500a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12.200 12.200L17 17",
  comment: "M3.500 4.500h13v9h-7l-3.500 3v-3h-2.500z",
  point: "M10 4v12M4 10h12M10 7.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  area: "M4 7V4h3M13 4h3v3M16 13v3h-3M7 16H4v-3",
  code: "M7 6l-4 4 4 4M13 6l4 4-4 4M11.500 4l-3 12",
  folder: "M3 5.500h5l1.500 2H17v8H3z",
  file: "M5 3h6.500L15 6.500V17H5zM11.500 3v3.500H15",
  plus: "M10 4v12M4 10h12",
  again: "M16 10a6 6 0 1 1-2-4.500M16 3v3.500h-3.500",
  default: "M10 3l1.7 5.3L17 10l-5.3 1.7L10 17l-1.7-5.3L3 10l5.3-1.7z",
};

/** What fairies do on text pages, by what each is most like. */
const ALIKE: Record<string, string> = {
  "text-insert": "write",
  "text-rewrite": "write",
  "mark-set": "mark",
  "mark-toggle": "mark",
  "block-insert": "block",
  "read-blocks": "view",
  "block-move": "move",
  "block-delete": "delete",
  "block-set-kind": "label",
  "list-set": "tasks",
  "bullet-list-toggle": "tasks",
  "table-add-row": "table",
  "table-add-column": "table",
  "table-set-cell": "table",
  "math-insert-formula": "formula",
  "mention-insert": "mention",
  "comment-add": "comment",
  "comment-reply": "comment",
  "comment-resolve": "comment",
};

/** Whether there is a drawing of that name. */
export function hasIcon(name: string): boolean {
  return Object.hasOwn(PATHS, name) || Object.hasOwn(ALIKE, name);
}

export function Icon({ name }: { name: string }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[ALIKE[name] ?? name] ?? PATHS["default"]} />
    </svg>
  );
}
