/**
 * Changes of one text, in UTF-16 units as in JavaScript and in Loro's events: enough of operational transformation to
 * put what a person types, seen from the text they were shown, into a document that has moved on meanwhile.
 */
export type Op = { retain: number } | { insert: string } | { delete: number };
export type Delta = Op[];

/** The smallest single replacement that turns `before` into `after`; never cuts a surrogate pair in two. */
export function diffText(before: string, after: string): Delta {
  if (before === after) {
    return [];
  }
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) {
    start++;
  }
  if (isHigh(before, start - 1) || isHigh(after, start - 1)) {
    start--;
  }
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) {
    end++;
  }
  if (isLow(before, before.length - end) || isLow(after, after.length - end)) {
    end--;
  }
  const removed = before.length - end - start;
  return tidy([{ retain: start }, { insert: after.slice(start, after.length - end) }, { delete: removed }]);
}

export function apply(text: string, delta: Delta): string {
  let out = "";
  let at = 0;
  for (const op of delta) {
    if ("insert" in op) {
      out += op.insert;
    } else if ("retain" in op) {
      out += text.slice(at, (at += op.retain));
    } else {
      at += op.delete;
    }
  }
  return out + text.slice(at);
}

/** First `a`, then `b`, as one. */
export function compose(a: Delta, b: Delta): Delta {
  const left = new Reader(a);
  const right = new Reader(b);
  const out: Delta = [];
  while (!left.done || !right.done) {
    const l = left.peek();
    const r = right.peek();
    if (r && "insert" in r) {
      out.push(right.take(Infinity));
    } else if (l && "delete" in l) {
      out.push(left.take(Infinity));
    } else if (!r || !l) {
      out.push(l ? left.take(Infinity) : right.take(Infinity));
    } else {
      const n = Math.min(length(l), length(r));
      const from = left.take(n);
      const then = right.take(n);
      if ("retain" in then) {
        out.push(from);
      } else if ("retain" in from) {
        out.push(then);
      }
    }
  }
  return tidy(out);
}

/**
 * `mine` and `theirs` were both made on the same text; what `mine` becomes after `theirs`. Of two insertions at one
 * place the first is theirs if `theirsFirst`.
 */
export function transform(mine: Delta, theirs: Delta, theirsFirst: boolean): Delta {
  const left = new Reader(mine);
  const right = new Reader(theirs);
  const out: Delta = [];
  while (!left.done) {
    const l = left.peek();
    const r = right.peek();
    if (!l) {
      break;
    }
    if ("insert" in l && !(theirsFirst && r && "insert" in r)) {
      out.push(left.take(Infinity));
    } else if (r && "insert" in r) {
      out.push({ retain: length(right.take(Infinity)) });
    } else if (!r) {
      out.push(left.take(Infinity));
    } else {
      const n = Math.min(length(l), length(r));
      const from = left.take(n);
      const then = right.take(n);
      if ("retain" in then) {
        out.push(from);
      }
    }
  }
  return tidy(out);
}

class Reader {
  private index = 0;
  private offset = 0;

  constructor(private readonly ops: Delta) {}

  get done(): boolean {
    return this.index >= this.ops.length;
  }

  peek(): Op | undefined {
    const op = this.ops[this.index];
    return op && this.offset > 0 ? cut(op, this.offset, length(op)) : op;
  }

  take(n: number): Op {
    const op = this.ops[this.index] as Op;
    const end = Math.min(length(op), this.offset + n);
    const taken = cut(op, this.offset, end);
    if (end === length(op)) {
      this.index++;
      this.offset = 0;
    } else {
      this.offset = end;
    }
    return taken;
  }
}

function length(op: Op): number {
  return "insert" in op ? op.insert.length : "retain" in op ? op.retain : op.delete;
}

function cut(op: Op, from: number, to: number): Op {
  if ("insert" in op) return { insert: op.insert.slice(from, to) };
  return "retain" in op ? { retain: to - from } : { delete: to - from };
}

function tidy(ops: Delta): Delta {
  const out: Delta = [];
  for (const op of ops) {
    const last = out.at(-1);
    if (length(op) === 0) {
    } else if (last && "insert" in last && "insert" in op) {
      out[out.length - 1] = { insert: last.insert + op.insert };
    } else if (last && "retain" in last && "retain" in op) {
      out[out.length - 1] = { retain: last.retain + op.retain };
    } else if (last && "delete" in last && "delete" in op) {
      out[out.length - 1] = { delete: last.delete + op.delete };
    } else {
      out.push(op);
    }
  }
  const last = out.at(-1);
  return last && "retain" in last ? out.slice(0, -1) : out;
}

const isHigh = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xd800;
const isLow = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
