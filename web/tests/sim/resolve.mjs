/**
 * The studio's sources are written for a bundler: no endings in imports, JSON without attributes. Node 22 strips the
 * types and this resolves the rest, so that the simulator runs the sources themselves.
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    // The build for Node is CommonJS, whose names Node does not find.
    if (specifier === "loro-crdt") return next("loro-crdt/base64", context);
    if (specifier.startsWith(".") && !/\.[a-z]+$/.test(specifier)) return next(`${specifier}.ts`, context);
    const found = next(specifier, context);
    return specifier.endsWith(".json") ? { ...found, importAttributes: { type: "json" } } : found;
  },
});
