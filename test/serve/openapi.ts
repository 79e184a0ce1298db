/** Checks answers against Hindsight's OpenAPI description (0.9.1, without its prose). */
import Ajv from "ajv/dist/2020.js";
import { matched } from "../../src/serve/api/route.ts";
import type { Service } from "../../src/serve/listen.ts";
import description from "./hindsight-openapi.json";

interface Described {
  readonly operationId: string;
  readonly responses: Record<string, { content: Record<string, { schema?: object }> }>;
}

/** "GET /v1/default/banks/{bank_id}/tags" of every operation. */
export const OPERATIONS: readonly string[] = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(description, "hindsight");

/** What is wrong with an answer; "" if nothing is. */
function problemOf(operation: string, status: number, body: unknown): string {
  const [method = "", path = ""] = operation.split(" ");
  if (status >= 400) return isError(body) ? "" : `${operation} ${status}: not an error of the contract`;
  const described = (description.paths as Record<string, Record<string, Described>>)[path]?.[
    method.toLowerCase()
  ];
  const content = described?.responses[String(status)]?.content["application/json"];
  if (content === undefined) return `${operation} ${status}: not in the contract`;
  if (content.schema === undefined) return "";
  const pointer = [
    path,
    method.toLowerCase(),
    "responses",
    String(status),
    "content",
    "application/json",
    "schema",
  ]
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  const check = ajv.getSchema(`hindsight#/paths/${pointer}`);
  if (check === undefined) return `${operation}: no schema`;
  return check(body) ? "" : `${operation}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(body)}`;
}

const FIELD_ERRORS = { $ref: "hindsight#/components/schemas/HTTPValidationError" };

function isError(body: unknown): boolean {
  const { detail } = (body ?? {}) as { detail?: unknown };
  return typeof detail === "string" || (Array.isArray(detail) && ajv.validate(FIELD_ERRORS, body));
}

export class Contract {
  /** Operations that were answered with success. */
  readonly answered = new Set<string>();
  readonly problems: string[] = [];

  /** The same service; every answer is checked. */
  checking(service: Service): Service {
    return {
      ...service,
      handle: async (request, text) => {
        const response = await service.handle(request, text);
        const segments = new URL(request.url).pathname.split("/");
        const operation = OPERATIONS.filter((one) => one.startsWith(`${request.method} `))
          .sort((a, b) => a.split("{").length - b.split("{").length)
          .find((one) => matched(one.split(" ")[1] ?? "", segments) !== null);
        if (operation === undefined) return response;
        const problem = problemOf(operation, response.status, await response.clone().json());
        if (problem !== "") this.problems.push(problem);
        if (response.ok) this.answered.add(operation);
        return response;
      },
    };
  }
}
