/**
 * Tabs of the studio for the simulator of rooms (`crates/glade-room/src/sim/studio.rs`): an order a line on stdin, a
 * reply a line on stdout. Nothing happens by itself.
 */
import "./world";
import { createInterface } from "node:readline";
import { Device } from "./device";
import type { Put } from "./edits";
import { plant } from "./faults";
import { Tab, lineOf, type Event, type Opening, type Shown } from "./tab";
import { as, begin, passUntil } from "./world";

type Order =
  | { begin: { seed: number; nowMs: number } }
  | { open: Opening }
  | { kill: { tab: number } }
  | { accept: { line: number } }
  | { deliver: { line: number; bytes: string } }
  | { say: { line: number; text: string } }
  | { hangUp: { line: number } }
  | { pass: { nowMs: number } }
  | { edit: { tab: number; puts: Put[]; removed: string | null } }
  | { show: { tab: number } };

interface Reply {
  events: Event[];
  written?: { peer: string; to: number };
  shown?: Shown;
}

const tabs = new Map<number, Tab>();
const devices = new Map<number, Device>();
let events: Event[] = [];

function tabOf(number: number): Tab {
  const tab = tabs.get(number);
  if (!tab) throw new Error(`there is no tab ${number}`);
  return tab;
}

async function onLine(id: number, work: (found: NonNullable<ReturnType<typeof lineOf>>) => void): Promise<void> {
  const found = lineOf(id);
  if (found) await as(found.tab.owner, () => work(found));
}

async function open(opening: Opening): Promise<void> {
  const device = devices.get(opening.tab) ?? new Device();
  devices.set(opening.tab, device);
  const owner = {};
  await as(owner, () => tabs.set(opening.tab, new Tab(opening, device, (event) => events.push(event), owner)));
}

async function carryOut(order: Order): Promise<Omit<Reply, "events">> {
  if ("begin" in order) {
    begin(order.begin.seed, order.begin.nowMs);
  } else if ("open" in order) {
    await open(order.open);
  } else if ("kill" in order) {
    tabOf(order.kill.tab).kill();
  } else if ("accept" in order) {
    await onLine(order.accept.line, ({ line }) => line.accept());
  } else if ("deliver" in order) {
    const { line: id, bytes } = order.deliver;
    await onLine(id, ({ line }) => line.deliver(Buffer.from(bytes, "base64")));
  } else if ("say" in order) {
    const { line: id, text } = order.say;
    await onLine(id, ({ line }) => line.deliver(text));
  } else if ("hangUp" in order) {
    await onLine(order.hangUp.line, ({ line }) => line.hangUp());
  } else if ("pass" in order) {
    await passUntil(order.pass.nowMs);
  } else if ("edit" in order) {
    const tab = tabOf(order.edit.tab);
    await as(tab.owner, () => tab.edit(order.edit.puts, order.edit.removed));
    return { written: tab.written() };
  } else {
    return { shown: await tabOf(order.show.tab).show() };
  }
  return {};
}

const [fault] = process.argv.slice(2);
if (fault !== undefined) plant(fault);
for await (const text of createInterface({ input: process.stdin })) {
  events = [];
  const rest = await carryOut(JSON.parse(text) as Order);
  process.stdout.write(`${JSON.stringify({ events, ...rest } satisfies Reply)}\n`);
}
