import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const here = new URL(".", import.meta.url);
const lines = readdirSync(here)
  .filter((name) => name.endsWith(".css") && name !== "tokens.css")
  .flatMap((name) =>
    readFileSync(new URL(name, here), "utf8")
      .replaceAll(/\/\*[\s\S]*?\*\//g, "")
      .split("\n")
      .map((line) => `${name} ${line.trim()}`),
  );

it("colours are named in tokens.css alone", () => {
  expect(lines.filter((line) => /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|light-dark)a?\(|[ :](white|black)[ ;]/i.test(line))).toEqual([]);
});

it("radii, sizes of type and shadows are tokens", () => {
  expect(lines.filter((line) => /radius: .*\dpx|font(-size)?: [^/]*\dpx|box-shadow: [^;]*rgb/.test(line))).toEqual([]);
});
