/** The parts of the MCP SDK that the server's start doesn't need. Saves half of the time that loading the SDK takes. */
import type { BunPlugin } from "bun";

/** The SDK includes a validator for client forms, which we don't use. */
const SHIMS = 'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator {}';

/** The modules that define the messages of every protocol revision, about 400 schemas. A session uses a tenth of them. */
const SCHEMAS = /@modelcontextprotocol[/\\](?:core|server)[/\\]dist[/\\](?:schemas|auth|src)-[\w-]+\.mjs$/;

/** A whole statement: the next line is not indented further, and closes nothing. */
const DEFINITION =
  /^(\t?)const (\w+Schema(?:\$\d+)?) = ((?:z\.|\w+Schema(?:\$\d+)?\.|wire\w+\()(?:.|\n)*?);\n(?!\1[\t\])}])/gm;

/** A member of an object that holds a revision's schemas, up to a line as above. */
const MEMBER =
  /^(\t+)(\w+Schema|"[\w/]+"): ((?:wire\w+|dispatchRequest|liftedResult)\((?:.|\n)*?\))(?=,?\n(?!\1[\t\])}]))/gm;

/** Which keys the fields of a client's form may have, read from schemas: a set, or sets by type. */
const KEYS = /^const (\w+) = (new Set\(.*Schema\.shape\b.*\));$/gm;
const KEYS_OF_TYPE = /^\t(\w+): (shapeKeys\((?:.|\n)*?\))(?=,?$)/gm;

/** Builds a schema when something first looks at it. */
const LAZY = `
function lazySchema(build) {
  let built;
  const schema = () => (built ??= build());
  return new Proxy({}, {
    get: (_, key) => schema()[key],
    set: (_, key, value) => Reflect.set(schema(), key, value),
    has: (_, key) => key in schema(),
    getPrototypeOf: () => Object.getPrototypeOf(schema()),
  });
}
`;

export const lightMcp: BunPlugin = {
  name: "light-mcp",
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: "shims",
      namespace: "light-mcp",
    }));
    build.onLoad({ filter: /.*/, namespace: "light-mcp" }, () => ({ contents: SHIMS, loader: "js" }));
    build.onLoad({ filter: SCHEMAS }, async ({ path }) => {
      const before = await Bun.file(path).text();
      const contents =
        before
          .replace(DEFINITION, "$1const $2 = lazySchema(() => $3);\n")
          .replace(MEMBER, "$1$2: lazySchema(() => $3)")
          .replace(KEYS, "const $1 = { has: (key) => $2.has(key) };")
          .replace(KEYS_OF_TYPE, "\tget $1() { return $2; }") + LAZY;
      if (!contents.includes("= lazySchema("))
        throw new Error(`The MCP SDK has changed; found no schemas in ${path}`);
      return { contents, loader: "js" };
    });
  },
};
