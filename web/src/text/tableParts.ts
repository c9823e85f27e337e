import rules from "../../../crates/glade-doc/src/element-rules.json";
import { compareBlocks, isLive, type Block } from "./blocksDoc";

/** The columns and rows of a table that are shown, in order. */
export interface Parts {
  columns: Block[];
  rows: Block[];
}

export interface TableParts {
  of(table: string): Parts;
  /** Columns and rows beyond what a table, or all tables of a page, may have. They are in no table that is shown. */
  beyond: ReadonlyMap<string, Block>;
}

const NONE: Parts = { columns: [], rows: [] };

/** Whether a table may have so many. */
export const isTableSize = (columns: number, rows: number): boolean =>
  columns <= rules.table.columns && columns * rows <= rules.table.cells;

/** What each table shows, counted as the server counts (`glade-doc/src/tables.rs`). `tables` are in the page's order. */
export function tableParts(all: Iterable<Block>, tables: readonly Block[]): TableParts {
  const found = new Map<string, Parts>(tables.map(({ id }) => [id, { columns: [], rows: [] }]));
  for (const block of all) {
    const parts = found.get(String(block.props.parent));
    if (!parts || !isLive(block)) continue;
    if (block.props.nodeName === "tableColumn") parts.columns.push(block);
    else if (block.props.nodeName === "tableRow") parts.rows.push(block);
  }
  const beyond = new Map<string, Block>();
  let left = rules.table.page;
  for (const { columns, rows } of found.values()) {
    columns.sort(compareBlocks);
    rows.sort(compareBlocks);
    const over = columns.splice(rules.table.columns);
    if (columns.length > 0) {
      over.push(...rows.splice(Math.floor(Math.min(rules.table.cells, left) / columns.length)));
      left -= columns.length * rows.length;
    }
    for (const block of over) beyond.set(block.id, block);
  }
  return { of: (table) => found.get(table) ?? NONE, beyond };
}
