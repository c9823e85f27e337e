import { expect, it } from "vitest";
import { blobOf } from "./dataUrl";

it("takes the bytes and their type out of a data address, base64 or not", async () => {
  const png = blobOf("data:image/png;base64,iVBORw==");
  expect([png.type, [...new Uint8Array(await png.arrayBuffer())]]).toEqual(["image/png", [0x89, 0x50, 0x4e, 0x47]]);
  const svg = blobOf("data:image/svg+xml,%3Csvg/%3E");
  expect([svg.type, await svg.text()]).toEqual(["image/svg+xml", "<svg/>"]);
  const charset = blobOf("data:text/plain;charset=utf-8;base64,aGk=");
  expect(await charset.text()).toBe("hi");
});
