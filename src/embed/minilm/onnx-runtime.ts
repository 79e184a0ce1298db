/**
 * ONNX Runtime's native library, by the binding inside `onnxruntime-node` instead of that package's own JavaScript, which
 * takes 9 ms more to load. The version is exact in package.json for that reason too.
 *
 * From 1.29 on the library reports its use to Microsoft unless told not to, before it starts and in the environment of
 * the process itself, which `process.env` does not reach in Bun. Memory is private, so it is told, whatever the version.
 */
import { dlopen } from "bun:ffi";
import { runtimeLibrary } from "./packages.ts";

/** A tensor in the form of ONNX Runtime's binding. */
export class Tensor {
  readonly location = "cpu";

  constructor(
    readonly type: "float32",
    readonly data: Float32Array,
    readonly dims: readonly number[],
  ) {}
}

interface Session {
  loadModel(buffer: ArrayBufferLike, offset: number, length: number, options: object): void;
  run(inputs: Record<string, Tensor>, outputs: Record<string, null>, options: object): Record<string, Tensor>;
  dispose(): void;
}

export interface Runtime {
  readonly InferenceSession: new () => Session;
  /** Newer versions need this call. */
  initOrtOnce?(logLevel: number, tensor: typeof Tensor, isMainThread: boolean): void;
}

const ERRORS_ONLY = 3;
const SESSION_OPTIONS = {
  // The graph is already optimised.
  graphOptimizationLevel: "disabled",
  // Several texts run in parallel instead, which uses the cores better.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: ERRORS_ONLY,
};

/** Throws if the library doesn't exist for this machine or fails to load. */
export function loadRuntime(): Runtime {
  forbidReports();
  const runtime: Runtime = require(runtimeLibrary());
  runtime.initOrtOnce?.(ERRORS_ONLY, Tensor, true);
  return runtime;
}

export function openSession(runtime: Runtime, graph: Uint8Array): Session {
  const session = new runtime.InferenceSession();
  session.loadModel(graph.buffer, graph.byteOffset, graph.byteLength, SESSION_OPTIONS);
  return session;
}

function forbidReports(): void {
  const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
  const { symbols, close } = dlopen(library, {
    setenv: { args: ["cstring", "cstring", "int"], returns: "int" },
  });
  symbols.setenv(Buffer.from("ORT_DISABLE_TELEMETRY\0"), Buffer.from("1\0"), 1);
  close();
}
