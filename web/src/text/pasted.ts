/**
 * What is pasted or dropped. Other programs nest what our pages have in a row: lists in items, paragraphs in quotes and
 * cells. Here it is laid flat, for the schema to read.
 */

const BLOCKS = "p, div, ul, ol, pre, blockquote, table, h1, h2, h3, h4, h5, h6, hr, figure";

/** Pictures, unless there are words with them: spreadsheets put a picture of the cells beside the cells. */
export function picturesIn(data: DataTransfer | null): File[] {
  const pictures = [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));
  if (pictures.length === 0) return [];
  const { body } = parse(data?.getData("text/html") ?? "");
  return body.textContent?.trim() ? [] : pictures;
}

/** The same HTML without nesting. What we copied ourselves has none. */
export function flattened(html: string): string {
  const { body } = parse(html);
  for (const cell of body.querySelectorAll("td, th")) toLines(cell);
  for (const list of [...body.querySelectorAll("ul, ol")].filter((one) => !one.parentElement?.closest("ul, ol")))
    list.replaceWith(...itemsOf(list, 0));
  for (const quote of [...body.querySelectorAll("blockquote")].reverse()) quote.replaceWith(...quotesOf(quote));
  for (const code of body.querySelectorAll<HTMLElement>("pre")) {
    const language = /(?:^|\s)lang(?:uage)?-([\w+#-]+)/.exec(`${code.className} ${code.querySelector("code")?.className ?? ""}`);
    if (language?.[1]) code.dataset.lang = language[1];
  }
  return body.innerHTML;
}

/** Nothing in it is fetched or run. */
const parse = (html: string): Document => new DOMParser().parseFromString(html, "text/html");

/** Paragraphs as lines of one. */
function toLines(cell: Element): void {
  for (const block of cell.querySelectorAll("p, div, li, h1, h2, h3, h4, h5, h6, pre, blockquote")) {
    if (before(block)) block.before(block.ownerDocument.createElement("br"));
  }
  for (const block of cell.querySelectorAll(`${BLOCKS}, li`)) block.replaceWith(...block.childNodes);
}

/** Whether anything stands before it in its cell. */
function before(block: Element): boolean {
  for (let at: Element | null = block; at && !at.matches("td, th"); at = at.parentElement) {
    for (let other = at.previousSibling; other; other = other.previousSibling) if (other.textContent?.trim()) return true;
  }
  return false;
}

function itemsOf(list: Element, depth: number): HTMLElement[] {
  const ordered = list.tagName === "OL";
  let start = ordered ? Number(list.getAttribute("start") ?? 1) : 1;
  return [...list.children].flatMap((child) => {
    // Some programs put a list into a list rather than into its item.
    if (child.matches("ul, ol")) return itemsOf(child, depth + 1);
    const item = make(child, "div", { class: "text-item", "data-list": ordered ? "ordered" : "bullet", "data-indent": String(depth) });
    const box = child.querySelector<HTMLInputElement>("input[type=checkbox]");
    if (box && box.closest("li") === child) {
      item.dataset.list = "task";
      item.dataset.checked = String(box.checked);
      box.remove();
    }
    if (ordered && start !== 1) item.dataset.start = String(start);
    start = 1;
    return [item, ...insideItem(child, item, depth)];
  });
}

/** Moves the words of an item to it; answers what stands below them. */
function insideItem(from: Element, item: HTMLElement, depth: number): HTMLElement[] {
  const below: HTMLElement[] = [];
  for (const child of [...from.childNodes]) {
    if (child.nodeType !== 1) {
      (below.length === 0 ? item : below.at(-1)!).append(child);
      continue;
    }
    const element = child as HTMLElement;
    if (element.matches("ul, ol")) below.push(...itemsOf(element, depth + 1));
    else if (element.matches("p, div") && below.length === 0 && !item.textContent?.trim()) item.append(...element.childNodes);
    else if (element.matches(BLOCKS)) {
      element.dataset.indent = String(depth + 1);
      below.push(element);
    } else (below.length === 0 ? item : below.at(-1)!).append(element);
  }
  return below;
}

/** A quote of several paragraphs is several quotes. */
function quotesOf(quote: Element): Element[] {
  const blocks = [...quote.children].filter((child) => child.matches(BLOCKS));
  if (blocks.length === 0) return [quote];
  return [...quote.childNodes].flatMap((child) => {
    if (child.nodeType === 1 && (child as Element).matches("p, div:not([class])"))
      return [make(child as Element, "blockquote", {}, [...child.childNodes])];
    if (child.nodeType === 1) return [child as Element];
    return child.textContent?.trim() ? [make(quote, "blockquote", {}, [child])] : [];
  });
}

function make(beside: Element, tag: string, attributes: Record<string, string>, children: readonly ChildNode[] = []): HTMLElement {
  const made = beside.ownerDocument.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
