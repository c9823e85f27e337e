import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Excalidraw asks for its fonts at `EXCALIDRAW_ASSET_PATH + "fonts/…"`: serve them ourselves, so that the studio
 * never asks anybody else. Liberation is left out: the bundled version's licence does not suit ours.
 */
function excalidrawFonts(): Plugin {
  const from = here("./node_modules/@excalidraw/excalidraw/dist/prod/fonts");
  let outDir = here("./dist");
  return {
    name: "glade:excalidraw-fonts",
    apply: "build",
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      for (const family of await readdir(from)) {
        if (family !== "Liberation") {
          await cp(join(from, family), join(outDir, "fonts", family), { recursive: true });
        }
      }
    },
  };
}

/**
 * Excalidraw adds a public CDN as the last place to look for every font, and browsers report each of these as a
 * blocked request even where it is never needed. Nothing leaves the machine: the last place is our own server too.
 */
function noOutsideFonts(): Plugin {
  let replaced = 0;
  return {
    name: "glade:no-outside-fonts",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/@excalidraw/excalidraw/dist/") || !code.includes("https://esm.sh/")) {
        return null;
      }
      replaced++;
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it becomes a template in Excalidraw's own code
      return { code: code.replaceAll("`https://esm.sh/", "`${window.location.origin}/"), map: null };
    },
    generateBundle(_options, bundle) {
      const leaks = Object.values(bundle).filter((file) => file.type === "chunk" && file.code.includes("https://esm.sh/"));
      if (replaced === 0 || leaks.length > 0) {
        this.error("Excalidraw's font fallback has changed; look at noOutsideFonts in vite.config.ts.");
      }
    },
  };
}

/**
 * Excalidraw imports its reader of Mermaid in two ways: when somebody pastes a diagram, and ahead of everything. The second
 * would bring all of Mermaid into the first load, so that it too becomes a question asked when there is something to read.
 */
function lazyMermaid(): Plugin {
  const NAME = "@excalidraw/mermaid-to-excalidraw";
  const ASKED = "\0glade:mermaid";
  return {
    name: "glade:lazy-mermaid",
    enforce: "pre",
    resolveId: (id, importer) => (id === NAME && importer?.includes("/@excalidraw/excalidraw/dist/") ? ASKED : null),
    load: (id) =>
      id === ASKED
        ? `export const parseMermaidToExcalidraw = async (...asked) => (await import("${NAME}")).parseMermaidToExcalidraw(...asked);`
        : null,
  };
}

/** Browsers that run the studio read woff2: the formulas' fonts in two older formats as well would triple their weight. */
function onlyNewFonts(): Plugin {
  return {
    name: "glade:only-new-fonts",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/katex/dist/katex") || !id.includes(".css")) return null;
      return { code: code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, ""), map: null };
    },
  };
}

/** Leaves a smaller twin, `NAME.gz`, beside every file that shrinks: the server sends it as it is. */
function smallerTwins(): Plugin {
  let outDir = here("./dist");
  return {
    name: "glade:smaller-twins",
    apply: "build",
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      const names = (await readdir(outDir, { recursive: true })).filter((name) => /\.(js|css|html|svg|wasm)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(outDir, name);
          await writeFile(`${path}.gz`, await promisify(gzip)(await readFile(path), { level: 9 }));
        }),
      );
    },
  };
}

// Node's own build of loro-crdt is the right one in unit tests; everywhere else the browser build, because Vite's
// development server would pick the bundler build, which needs a wasm plugin that refuses this Vite.
const alias: Record<string, string> = process.env.VITEST ? {} : { "loro-crdt": here("./node_modules/loro-crdt/browser/index.js") };

export default defineConfig({
  base: "/",
  plugins: [react(), excalidrawFonts(), noOutsideFonts(), lazyMermaid(), onlyNewFonts(), smallerTwins()],
  resolve: { alias },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    sourcemap: false,
    target: "es2022",
    chunkSizeWarningLimit: 4096,
    // The content security policy allows `data:` for fonts and images only.
    assetsInlineLimit: 0,
  },
  test: {
    environment: "node",
    include: ["src/**/*.test.ts"],
    testTimeout: 30_000,
    server: { deps: { inline: [/@excalidraw\//] } },
  },
});
