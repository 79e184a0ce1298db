/** What the app opens of agent/: the entry of a bundle of its own (dist/agent.js), since no other command needs any of it. */
export { Chat } from "../agent/chat.ts";
export { chatPorts } from "./chat-ports.ts";
export { Learning } from "./learning.ts";
export { memoryToolsOf, reflectOn } from "./memory-ports.ts";
export { chatModelsOf, modelsOf } from "./mental-model-ports.ts";
