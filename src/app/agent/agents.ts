/** Entry of the separate bundle dist/agent.js: what the app uses of agent/, which other commands don't load. */
export { fileListOf, openChat } from "./chat-ports.ts";
export { Learning } from "./learning.ts";
export { modelsOf } from "./mental-model-ports.ts";
