/**
 * Patches Ink for a fast start: its layout engine is created synchronously, so that the bundle can be CommonJS with bytecode;
 * widths come from Bun, without an emoji table; React's devtools are removed. Saves 60 ms.
 */
import { join } from "node:path";
import type { BunPlugin } from "bun";

const WASM = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)/;

/** Each must match, so that a new version of a package is noticed. */
const CHANGES: readonly { readonly file: RegExp; readonly from: string; readonly to: string }[] = [
  {
    file: /yoga-layout[/\\]dist[/\\]binaries[/\\]yoga-wasm-base64-esm\.js$/,
    from: "var _scriptDir = import.meta.url;",
    to: 'var _scriptDir = "";',
  },
  {
    file: /ink[/\\]build[/\\]reconciler\.js$/,
    from: "await import('./devtools.js');",
    to: "",
  },
  {
    file: /ink[/\\]build[/\\]reconciler\.js$/,
    from: "const loaded = await loadPackageJson();",
    to: "const loaded = {};",
  },
  {
    file: /ink[/\\]build[/\\]reconciler\.js$/,
    from: "import.meta.resolve('react-devtools-core');",
    to: "",
  },
  {
    file: /cli-truncate[/\\]index\.js$/,
    from: "import {stripVTControlCharacters} from 'node:util';",
    to: "const stripVTControlCharacters = Bun.stripANSI;",
  },
];

export const lightInk: BunPlugin = {
  name: "light-ink",
  setup(build) {
    for (const file of new Set(CHANGES.map((change) => change.file.source)))
      build.onLoad({ filter: new RegExp(file) }, async ({ path }) => {
        let contents = await Bun.file(path).text();
        for (const { from, to } of CHANGES.filter((change) => change.file.source === file)) {
          if (!contents.includes(from))
            throw new Error(`${path} has changed; it no longer contains: ${from}`);
          contents = contents.replace(from, to);
        }
        return { contents: contents.replace(WASM, "data:application/octet-stream;base64,"), loader: "js" };
      });
    build.onLoad({ filter: /yoga-layout[/\\]dist[/\\]src[/\\]index\.js$/ }, async ({ path }) => {
      const binary = await Bun.file(join(path, "../../binaries/yoga-wasm-base64-esm.js")).text();
      const base64 = WASM.exec(binary)?.[1];
      if (base64 === undefined) throw new Error("yoga-layout has changed; its WebAssembly was not found");
      return { contents: yogaAtOnce(base64), loader: "js" };
    });
    build.onLoad({ filter: /string-width[/\\]index\.js$/ }, () => ({
      contents: "export default (text, options) => Bun.stringWidth(text, options);",
      loader: "js",
    }));
    build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "none" }));
    build.onLoad({ filter: /.*/, namespace: "none" }, () => ({
      contents: "export default {}",
      loader: "js",
    }));
  },
};

function yogaAtOnce(base64: string): string {
  return `import loadYoga from "../binaries/yoga-wasm-base64-esm.js";
import wrapAssembly from "./wrapAssembly.js";
const yoga = {
  instantiateWasm(imports, done) {
    done(new WebAssembly.Instance(new WebAssembly.Module(Buffer.from("${base64}", "base64")), imports));
    return {};
  },
};
loadYoga(yoga);
export default wrapAssembly(yoga);
export * from "./generated/YGEnums.js";
`;
}
