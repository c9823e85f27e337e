// Tasks: made in the panel, framed on the page, dragged onto a fairy, started, done.
import { boxCalled, expect, open, test } from "./studio";

test("a card dragged onto a fairy is hers; Start sets her to it, and everyone sees how far it is", async ({ context, server }) => {
  const [page, other] = [await open(context, server.link), await open(context, server.link)];
  await page.bringToFront();
  await page.getByRole("button", { name: "Tasks" }).click();
  const panel = page.getByTestId("tasks-panel");
  await panel.getByRole("textbox", { name: "New task" }).fill("Draw a flow: Return -> Refund");
  await page.keyboard.press("Enter");
  const card = panel.getByTestId("task-card");
  await expect(card).toHaveAttribute("data-status", "todo");
  await expect(card.getByRole("button", { name: "Start" })).toBeDisabled();
  await card.getByRole("button", { name: "In the part of the page I see" }).click();
  await expect(page.getByTestId("task-bounds")).toBeVisible();

  await card.dragTo(page.getByTestId("fairy-sprite"), { sourcePosition: { x: 6, y: 6 } });
  const { fairies } = await server.workspace();
  await expect.poll(async () => (await server.workspace()).tasks[0].assignee).toBe(fairies[0].id);
  await page.getByRole("status").getByRole("button", { name: "Start" }).click();
  await boxCalled(page, "Refund");
  await expect(card).toHaveAttribute("data-status", "done");

  await other.bringToFront();
  await other.getByRole("button", { name: "Tasks" }).click();
  await expect(other.getByTestId("task-card")).toHaveAttribute("data-status", "done");
  await other.getByRole("button", { name: "Hide tasks on the page" }).click();
  await expect(other.getByTestId("task-bounds")).toHaveCount(0);
  await expect(page.getByTestId("task-bounds")).toHaveCount(1);
});

test("a task is reworded, given to someone by keyboard, and deleted", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Tasks" }).click();
  const panel = page.getByTestId("tasks-panel");
  await panel.getByRole("textbox", { name: "New task" }).fill("Tidy");
  await panel.getByRole("button", { name: "Make" }).click();
  const task = async () => (await server.workspace()).tasks[0];
  await panel.getByRole("textbox", { name: "What is to be done" }).fill("Tidy up");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await task()).title).toBe("Tidy up");
  await panel.getByRole("textbox", { name: "More about it" }).fill("left to right");
  await page.keyboard.press("Tab");
  await expect.poll(async () => (await task()).text).toBe("left to right");
  const { fairies } = await server.workspace();
  await panel.getByRole("combobox", { name: "Who does it" }).selectOption(fairies[0].id);
  await expect.poll(async () => (await task()).assignee).toBe(fairies[0].id);
  await panel.getByRole("combobox", { name: "How far it is" }).selectOption("done");
  await expect(panel.getByRole("button", { name: "Start" })).toHaveCount(0);
  await panel.getByRole("button", { name: "Delete" }).click();
  await expect(panel.getByTestId("task-card")).toHaveCount(0);
});
