/** The list of own endpoints in the home config: what may join it, and what leaves it. */
import { checkSetting } from "../config/file.ts";
import { ENDPOINT_NAME, type ModelEndpoint } from "../config/shapes.ts";
import { RetainError } from "../core/errors.ts";
import { isBuiltIn } from "./providers.ts";

export interface EndpointChange {
  readonly endpoints: readonly ModelEndpoint[];
  readonly action: "added" | "updated";
}

/** The list with the endpoint in it, in the place of one that had its name. Throws `exists`, `invalid_name`, `invalid_input`. */
export function withEndpoint(endpoints: readonly ModelEndpoint[], endpoint: ModelEndpoint): EndpointChange {
  requireSense(endpoint);
  const isThere = endpoints.some(({ name }) => name === endpoint.name);
  return isThere
    ? {
        endpoints: endpoints.map((other) => (other.name === endpoint.name ? endpoint : other)),
        action: "updated",
      }
    : { endpoints: [...endpoints, endpoint], action: "added" };
}

/** The list without the endpoint of that name. Throws `not_found`. */
export function withoutEndpoint(endpoints: readonly ModelEndpoint[], name: string): ModelEndpoint[] {
  const rest = endpoints.filter((endpoint) => endpoint.name !== name);
  if (rest.length < endpoints.length) return rest;
  const names = endpoints.map((endpoint) => endpoint.name);
  const known = names.length === 0 ? "There is none." : `There are: ${names.join(", ")}`;
  const hint = isBuiltIn(name) ? "It is built in, and stays." : known;
  throw new RetainError("not_found", `There is no endpoint '${name}' of yours.`, hint);
}

function requireSense(endpoint: ModelEndpoint): void {
  const { name, url } = endpoint;
  if (isBuiltIn(name))
    throw new RetainError("exists", `'${name}' is a provider that is built in.`, "Choose another name.");
  if (!ENDPOINT_NAME.test(name))
    throw new RetainError(
      "invalid_name",
      `'${name}' cannot be an endpoint's name.`,
      "Use small letters, digits, '-', '_' and '.'.",
    );
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new RetainError(
      "invalid_input",
      `'${url}' is not an address.`,
      "For example: http://localhost:8000/v1",
    );
  if (parsed.username !== "" || parsed.password !== "")
    throw new RetainError(
      "invalid_input",
      "A key or password does not belong into an address.",
      `Give it by: retain model key ${name}`,
    );
  if (parsed.search !== "" || parsed.hash !== "")
    throw new RetainError(
      "invalid_input",
      "The address of an API ends with its path: nothing follows '?' or '#'.",
      `For example: http://localhost:8000/v1. Its key is given by: retain model key ${name}`,
    );
  checkSetting("model_endpoints", [endpoint], "user", null);
}
