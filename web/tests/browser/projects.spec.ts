// Fairies that work together: chosen and asked, seen in the panel and on the page, moved, told, disbanded, restarted.
import { LLMock } from "@copilotkit/aimock";
import type { Page } from "@playwright/test";
import { GladeServer } from "../support/server.mjs";
import { addFairy, boxes, expect, labelOf, open, overlap, shapes, sprite, test, until } from "./studio";

const BOARD = "Draw a flow: Plan -> Build -> Ship; Sticky notes: cake, music; Timeline: 2024 Idea, 2025 Beta";

interface Task {
  id: string;
  title: string;
  status: string;
  assignee: string | null;
  bounds: { x: number; y: number; w: number; h: number };
}

/** The first fairy of the server and these, in a row. */
async function team(server: GladeServer, names: string[]): Promise<string[]> {
  const page = await server.firstPage();
  const [first] = (await server.workspace()).fairies;
  await server.api(`/api/fairies/${first.id}/summon`, { method: "POST", body: { page, position: { x: 150, y: 500 } } });
  const others = [];
  for (const [at, name] of names.entries()) others.push(await addFairy(server, name, { x: 300 + 150 * at, y: 500 }));
  return [first.id, ...others];
}

/** Chooses the fairies on the page, the first one first, and says what they are to do together. */
async function askTogether(page: Page, fairies: string[], message: string) {
  for (const [at, fairy] of fairies.entries()) await sprite(page, fairy).click(at === 0 ? {} : { modifiers: ["Shift"] });
  const together = page.getByTestId("together");
  await together.getByRole("textbox", { name: "What they do together" }).fill(message);
  await together.getByRole("button", { name: "Start" }).click();
}

const project = async (server: GladeServer) => (await server.workspace()).projects[0];
const tasksOf = async (server: GladeServer): Promise<Task[]> => (await server.workspace()).tasks;
const labels = async (page: Page) => {
  const all = await shapes(page);
  return boxes(all)
    .map((box) => labelOf(all, box))
    .filter(Boolean)
    .sort();
};

test.describe("with the built-in model", () => {
  test.use({ pace: 60 });

  test("three fairies that are chosen and asked make a project: panel, colours, areas, progress, who did what when", async ({
    context,
    server,
  }) => {
    const fairies = await team(server, ["Fern", "Moss"]);
    const [page, other] = [await open(context, server.link), await open(context, server.link)];
    await page.bringToFront();
    await askTogether(page, fairies, BOARD);

    const card = page.getByTestId("project");
    await expect(card).toHaveAttribute("data-status", "active");
    await expect(card.locator(".project-members li")).toHaveCount(3);
    await expect(card.locator(".project-members li").first()).toContainText("leads");
    await expect(page.locator(".fairy[data-project]")).toHaveCount(3);
    await expect(page.locator("[data-testid=task-bounds][data-project]")).toHaveCount(3);
    await expect(card.locator(".project-tasks li")).toHaveCount(3);

    await expect(card).toHaveAttribute("data-status", "done", { timeout: 40_000 });
    await expect(card.getByRole("progressbar", { name: "3 of 3 tasks done" })).toBeVisible();
    await expect(card).toContainText("Done: ");
    await card.getByText("Who did what when").click();
    const moments = card.locator(".project-timeline li");
    await expect(moments.filter({ hasText: "Fern" }).first()).toBeVisible();
    await expect(moments.filter({ hasText: "Moss" }).first()).toBeVisible();
    await expect(moments.last()).toContainText("done");
    await expect(page.locator(".fairy[data-project]")).toHaveCount(0);

    // Everybody else sees the same, and no two drawings lie on each other.
    await expect.poll(() => labels(other)).toEqual(expect.arrayContaining(["Build", "Plan", "Ship", "cake", "music"]));
    const drawn = boxes(await shapes(other));
    for (const [at, one] of drawn.entries()) {
      for (const two of drawn.slice(at + 1)) expect(overlap(one, two), `${one.id} and ${two.id}`).toBe(false);
    }
    for (const task of await tasksOf(server)) expect(task.status).toBe("done");
  });

  test("killed in the middle, a project goes on where it was, does nothing twice, and ends", async ({ context, server }) => {
    const fairies = await team(server, ["Fern", "Moss"]);
    const page = await open(context, server.link);
    await askTogether(page, fairies, BOARD);
    await until(async () => (await tasksOf(server)).some(({ status }) => status === "done"), "something is done", 30_000);
    const before = await tasksOf(server);
    expect((await project(server)).status).toBe("active");
    await server.restart();
    await expect(page.getByTestId("project")).toHaveAttribute("data-status", "done", { timeout: 60_000 });
    const after = await tasksOf(server);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.map(({ status }) => status)).toEqual(["done", "done", "done"]);
    await expect(page.getByTestId("sync-status")).toHaveText(/saved/i);
    await expect
      .poll(async () => (await labels(page)).filter((label) => ["Build", "Plan", "Ship", "cake", "music"].includes(label!)))
      .toEqual(["Build", "Plan", "Ship", "cake", "music"]);
    await expect
      .poll(async () => (await server.workspace()).fairies.map(({ mode }: { mode: string }) => mode))
      .toEqual(["idling", "idling", "idling"]);
  });
});

test.describe("slowly", () => {
  test.use({ pace: 6 });

  test("a duo: its area is moved and made larger, it is told more, and it is disbanded", async ({ context, server }) => {
    const fairies = await team(server, ["Fern"]);
    const page = await open(context, server.link);
    await askTogether(page, fairies, "Draw a flow: One -> Two -> Three -> Four -> Five -> Six -> Seven -> Eight; Sticky notes: red");
    const card = page.getByTestId("project");
    await expect(card.locator(".project-members li").first()).toContainText("leads and works");
    const task = () =>
      tasksOf(server).then((all) => all.find(({ assignee, status }) => assignee === fairies[1] && status === "in-progress"));
    const { id, bounds } = (await until(task, "the partner is at it", 30_000)) as Task;
    const now = async () => (await tasksOf(server)).find((one) => one.id === id)!.bounds;

    const frame = page.locator("[data-testid=task-bounds][data-status=in-progress]").first();
    await frame.getByRole("button", { name: /^Move the area/ }).press("Shift+ArrowUp");
    await expect.poll(now).toEqual({ ...bounds, y: bounds.y - 100 });
    await frame.getByRole("button", { name: /^Resize the area/ }).press("ArrowRight");
    await expect.poll(now).toEqual({ ...bounds, y: bounds.y - 100, w: bounds.w + 20 });

    await card.getByRole("textbox", { name: /^Tell / }).fill("Timeline: 1999 Old, 2000 New");
    await page.keyboard.press("Enter");
    // Whoever leads hears it when its own drawing is done.
    await expect(card.locator(".project-tasks li").filter({ hasText: "Timeline" })).toBeVisible({ timeout: 40_000 });

    await card.getByRole("button", { name: "Disband" }).click();
    await expect(card).toHaveAttribute("data-status", "disbanded");
    await expect(page.locator(".fairy[data-project]")).toHaveCount(0);
    const modes = async () => (await server.workspace()).fairies.map(({ mode }: { mode: string }) => mode);
    await expect.poll(modes).toEqual(["idling", "idling"]);
  });
});

/** The lines of a part of the prompt, read back. */
function lines(prompt: string, title: string): Record<string, string>[] {
  const at = prompt.lastIndexOf(`${title}\n\`\`\`data\n`);
  if (at < 0) return [];
  const body = prompt.slice(at + title.length + 9);
  return body
    .slice(0, body.indexOf("\n```"))
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** A provider's model that leads and works as it should, but for one wrong name. */
function answer(request: { messages: { content: unknown }[] }): { content: string } {
  const text = (content: unknown) =>
    typeof content === "string" ? content : (content as { text?: string }[]).map((part) => part.text ?? "").join("");
  const prompt = request.messages.map(({ content }) => text(content)).join("\n");
  const [me] = lines(prompt, "Your project:");
  const members = lines(prompt, "Its members:");
  const tasks = lines(prompt, "Its tasks:");
  const say = (actions: object[]) => ({ content: JSON.stringify({ actions }) });
  const duo = me.role === "duo-orchestrator";
  const named = (project: string, two: string) => (duo ? two : project);
  if (members.length === 0) {
    const label = prompt
      .match(/draw the box (\w+)/g)!
      .at(-1)!
      .split(" ")
      .at(-1);
    const [, x, y] = prompt.match(/.*"bounds":\{"x":(-?[\d.]+),"y":(-?[\d.]+)/s)!.map(Number);
    return say([
      {
        _type: "create",
        intent: "box",
        shape: { _type: "rectangle", shapeId: label, x: x + 60, y: y + 60, w: 160, h: 80, color: "blue", fill: "tint", text: label },
      },
      { _type: named("mark-my-task-done", "mark-duo-task-done") },
    ]);
  }
  const drones = members.filter(({ role }) => role === "drone").map(({ fairyId }) => fairyId);
  const hands = duo ? [drones[0], me.you] : drones;
  if (!me.started) {
    return say([
      {
        _type: named("start-project", "start-duo-project"),
        projectName: "Scripted",
        projectColor: "green",
        projectDescription: "two boxes",
        projectPlan: "a box each",
      },
      ...hands.map((fairy, at) => ({
        _type: named("create-project-task", "create-duo-task"),
        taskId: `t${at}`,
        title: `Box ${at}`,
        text: `draw the box B${at}`,
        assignedTo: fairy,
        x: 400 * at,
        y: 0,
        w: 300,
        h: 300,
      })),
      { _type: named("direct-to-start-project-task", "direct-to-start-duo-task"), otherFairyId: "fy_nobody", taskId: "t0" },
    ]);
  }
  const open = tasks.filter(({ status }) => status === "todo");
  const busy = tasks.filter(({ status }) => status === "in-progress").map(({ taskId }) => taskId);
  const own = open.find(({ assignedTo }) => assignedTo === me.you);
  const others = open.filter((task) => task !== own);
  const directing = others.map(({ taskId, assignedTo }) => ({
    _type: named("direct-to-start-project-task", "direct-to-start-duo-task"),
    otherFairyId: assignedTo,
    taskId,
  }));
  if (own) return say([...directing, { _type: "start-duo-task", taskId: own.taskId }]);
  const wait = [...busy, ...others.map(({ taskId }) => taskId)];
  if (wait.length > 0) return say([...directing, { _type: named("await-tasks-completion", "await-duo-tasks-completion"), taskIds: wait }]);
  return say([{ _type: "message", text: "Both boxes are there." }, { _type: named("end-project", "end-duo-project") }]);
}

const scripted = test.extend<{ mock: LLMock }>({
  mock: async ({}, use) => {
    const mock = new LLMock({ port: 0, strict: true });
    mock.on({ predicate: () => true }, (request) => answer(request as never), { chunkSize: 40, latency: 5 });
    await mock.start();
    await use(mock);
    await mock.stop();
  },
  server: async ({ mock }, use) => {
    const providers = { anthropic: { key: "k", baseUrl: mock.url } };
    const server = await GladeServer.start({ model: "anthropic/claude-sonnet-4-5", models: { providers } });
    await use(server);
    await server.stop();
  },
});

for (const [kind, names] of [
  ["a project of three", ["Fern", "Moss"]],
  ["a duo", ["Fern"]],
] as const) {
  scripted(`with a provider's model, ${kind} plans, is corrected, directs, waits and ends`, async ({ context, server, mock }) => {
    const fairies = await team(server, [...names]);
    const page = await open(context, server.link);
    await askTogether(page, fairies, "two boxes");
    const card = page.getByTestId("project");
    await expect(card).toHaveAttribute("data-status", "done", { timeout: 40_000 });
    await expect(card).toContainText("Scripted");
    await expect(card).toContainText("Done: Box 0, Box 1.");
    await expect.poll(() => labels(page)).toEqual(["B0", "B1"]);
    const said = mock.getRequests().map(({ body }) => JSON.stringify(body));
    expect(said.some((body) => body.includes("there is no fairy") && body.includes("fy_nobody"))).toBe(true);
  });
}
