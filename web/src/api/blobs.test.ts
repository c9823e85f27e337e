import { expect, it } from "vitest";
import { PatientBlobs, type Blobs } from "./blobs";
import { ApiError } from "./client";
import { MemoryPictures } from "./waitingPictures";

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const hello = new Blob(["hello"], { type: "image/png" });

/** A server that can be away, or say no. */
function farAway() {
  const kept = new Map<string, Blob>();
  const state = { answer: "yes" as "yes" | "away" | "no", kept };
  const blobs: Blobs = {
    async put(bytes) {
      if (state.answer === "away") throw new ApiError(0, "away");
      if (state.answer === "no") throw new ApiError(415, "not a picture");
      kept.set(HELLO, bytes);
      return HELLO;
    },
    async get(id) {
      const bytes = kept.get(id);
      if (!bytes) throw new ApiError(404, "none");
      return { bytes, contentType: bytes.type };
    },
  };
  return { state, blobs };
}

it("a picture brought while the server is away is known at once, readable, and brought later", async () => {
  const { state, blobs } = farAway();
  const patient = new PatientBlobs(blobs, Promise.resolve(new MemoryPictures()), () => "person:ann", 5);
  state.answer = "away";
  expect(await patient.put(hello)).toBe(HELLO);
  expect(await (await patient.get(HELLO)).bytes.text()).toBe("hello");
  expect(state.kept.size).toBe(0);
  state.answer = "yes";
  await expect.poll(() => state.kept.has(HELLO)).toBe(true);
});

it("what waited on this device is brought by the next page load", async () => {
  const { state, blobs } = farAway();
  const storage = new MemoryPictures();
  await storage.put(HELLO, { bytes: hello, by: "person:ann" });
  new PatientBlobs(blobs, Promise.resolve(storage), () => "person:ann", 5);
  await expect.poll(() => state.kept.has(HELLO)).toBe(true);
  await expect.poll(() => storage.ids()).toEqual([]);
});

it("what the server refuses is refused, and does not wait", async () => {
  const { state, blobs } = farAway();
  const storage = new MemoryPictures();
  const patient = new PatientBlobs(blobs, Promise.resolve(storage), () => "person:ann", 5);
  state.answer = "no";
  await expect(patient.put(hello)).rejects.toThrow("not a picture");
  expect(await storage.ids()).toEqual([]);
});

it("a picture of somebody else waits for them, and one of nobody for nobody", async () => {
  for (const by of ["person:ben", null]) {
    const { state, blobs } = farAway();
    const storage = new MemoryPictures();
    await storage.put(HELLO, { bytes: hello, by });
    const patient = new PatientBlobs(blobs, Promise.resolve(storage), () => "person:ann", 5);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([state.kept.size, await storage.ids(), await (await patient.get(HELLO)).bytes.text()]).toEqual([0, [HELLO], "hello"]);
  }
});
