/** Every route of the API, and the server's own. A path that isn't here is answered with 501. */
import { BANK_ROUTES } from "./banks.ts";
import { DIRECTIVE_ROUTES } from "./directives.ts";
import { DOCUMENT_ROUTES } from "./documents.ts";
import { MEMORY_ROUTES } from "./memories.ts";
import { MENTAL_MODEL_ROUTES } from "./mental-models.ts";
import { OPERATION_ROUTES } from "./operations.ts";
import { RECALL_ROUTES } from "./recall.ts";
import { type Route, serverRoute } from "./route.ts";

/** The version of Hindsight's contract that these routes follow. */
const CONTRACT = "0.9.1";

/** What Hindsight's clients may ask for besides memory. */
const FEATURES = {
  observations: false,
  mcp: true,
  worker: false,
  bank_config_api: false,
  bank_llm_health: false,
  file_upload_api: false,
  document_export_api: false,
  document_import_api: false,
  audit_log: false,
  llm_trace: false,
  store_document_text: true,
};

const ready = async () => ({ status: "healthy" });

const HEALTH_ROUTES = [
  serverRoute("GET", "/health", ready),
  serverRoute("GET", "/health/ready", ready),
  serverRoute("GET", "/health/live", async ({ version, uptime }) => ({
    ...{ status: "alive", version, uptime_seconds: uptime },
  })),
];

/** Paths that need no token: they say nothing about the memory. */
export const OPEN_PATHS = HEALTH_ROUTES.map(({ path }) => path);

/** A path without parameters comes before one that would match it too. */
export const ROUTES: readonly Route[] = [
  ...HEALTH_ROUTES,
  serverRoute("GET", "/version", async () => ({ api_version: CONTRACT, features: FEATURES })),
  ...BANK_ROUTES,
  ...RECALL_ROUTES,
  ...MEMORY_ROUTES,
  ...MENTAL_MODEL_ROUTES,
  ...DIRECTIVE_ROUTES,
  ...DOCUMENT_ROUTES,
  ...OPERATION_ROUTES,
];
