/** Adds and removes the user's own endpoints in the home config. */
import { checkSetting } from "../config/file.ts";
import { ENDPOINT_NAME, type ModelEndpoint } from "../config/shapes.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import { isBuiltIn } from "./providers.ts";

interface EndpointChange {
  readonly model_endpoints: readonly ModelEndpoint[];
  readonly action: "added" | "updated";
}

/** Adds the endpoint, or replaces the one with the same name. Throws `exists`, `invalid_name`, `invalid_input`. */
export function withEndpoint(endpoints: readonly ModelEndpoint[], endpoint: ModelEndpoint): EndpointChange {
  requireSense(endpoint);
  const isThere = endpoints.some(({ name }) => name === endpoint.name);
  return isThere
    ? {
        model_endpoints: endpoints.map((other) => (other.name === endpoint.name ? endpoint : other)),
        action: "updated",
      }
    : { model_endpoints: [...endpoints, endpoint], action: "added" };
}

/** Removes an endpoint by name. Throws `not_found`. */
export function withoutEndpoint(
  endpoints: readonly ModelEndpoint[],
  name: string,
): Pick<EndpointChange, "model_endpoints"> {
  const rest = endpoints.filter((endpoint) => endpoint.name !== name);
  if (rest.length < endpoints.length) return { model_endpoints: rest };
  const names = endpoints.map((endpoint) => endpoint.name);
  const known = names.length === 0 ? "You have no endpoints." : `Your endpoints: ${names.join(", ")}`;
  const hint = isBuiltIn(name) ? "It is a built-in provider, which cannot be removed." : known;
  throw new RetainError("not_found", `You have no endpoint named '${name}'.`, hint);
}

function requireSense(endpoint: ModelEndpoint): void {
  const { name, url } = endpoint;
  if (isBuiltIn(name))
    throw new RetainError("exists", `'${name}' is a built-in provider.`, "Choose another name.");
  if (!ENDPOINT_NAME.test(name))
    throw new RetainError(
      "invalid_name",
      `'${name}' is not a valid endpoint name.`,
      "Use lower-case letters, digits, '-', '_' and '.'.",
    );
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new RetainError(
      "invalid_input",
      `'${url}' is not a valid URL.`,
      "For example: http://localhost:8000/v1",
    );
  if (parsed.username !== "" || parsed.password !== "")
    throw new RetainError(
      "invalid_input",
      "The URL must not contain a key or password.",
      hint`Store the key with: ${command("model key", name)}`,
    );
  if (parsed.search !== "" || parsed.hash !== "")
    throw new RetainError(
      "invalid_input",
      "The URL must end with its path, without '?' or '#'.",
      hint`For example: http://localhost:8000/v1. Store its key with: ${command("model key", name)}`,
    );
  checkSetting("model_endpoints", [endpoint], "user", null);
}
