import { expect, it } from "vitest";
import { SignInWatch, type Noticeboard, type SignIn } from "./signIn";

const owner: SignIn = { session: "s1", subject: "person:owner", name: "Owner" };
const guest: SignIn = { session: "s2", subject: "person:g", name: "Gus" };

/** Tabs of one browser. */
function browser() {
  let value: string | null = null;
  const listeners: { tab: number; heard(): void }[] = [];
  let tabs = 0;
  return (): SignInWatch => {
    const tab = tabs++;
    const board: Noticeboard = {
      read: () => value,
      write: (next) => {
        value = next;
        listeners.filter((one) => one.tab !== tab).forEach((one) => one.heard());
      },
      listen: (heard) => void listeners.push({ tab, heard }),
    };
    return new SignInWatch(board);
  };
}

it("a tab hears at once that another signed in as somebody else", () => {
  const open = browser();
  const [first, second] = [open(), open()];
  let told = 0;
  first.subscribe(() => told++);
  first.begin(owner);
  second.begin(owner);
  expect([told, first.other()]).toEqual([0, null]);
  second.begin(guest);
  expect([told, first.other(), second.other()]).toEqual([1, guest, null]);
});

it("the same person with another session is somebody else: that link may have other rights", () => {
  const open = browser();
  const [first, second] = [open(), open()];
  first.begin(owner);
  second.begin({ ...owner, session: "s9" });
  expect(first.other()).toEqual({ ...owner, session: "s9" });
});

it("the server's word goes before that of other tabs", () => {
  const open = browser();
  const [first, second] = [open(), open()];
  first.begin(owner);
  second.begin(guest);
  expect(first.saw(owner)).toBe(true);
  expect([first.other(), second.other()]).toEqual([null, owner]);
  expect(first.saw(guest)).toBe(false);
  expect(first.other()).toEqual(guest);
});

it("who sends something looks first, even if nobody told it yet", () => {
  let value: string | null = null;
  const deaf: Noticeboard = { read: () => value, write: (next) => void (value = next), listen: () => {} };
  const tab = new SignInWatch(deaf);
  tab.begin(owner);
  value = JSON.stringify(guest);
  expect([tab.other(), tab.check(), tab.other()]).toEqual([null, guest, guest]);
});
