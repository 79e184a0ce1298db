/**
 * Loads ONNX Runtime's native library through the binding inside `onnxruntime-node`, without that package's JavaScript, which
 * takes 9 ms more. That is one reason why package.json pins the exact version.
 *
 * From 1.29 on the library sends telemetry to Microsoft unless an environment variable of the process, set before it starts,
 * disables that. Memory is private, so telemetry is disabled for any version.
 */
import { setNativeVariable } from "../../util/runtime.ts";
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
  setNativeVariable("ORT_DISABLE_TELEMETRY", "1");
  const runtime: Runtime = require(runtimeLibrary());
  runtime.initOrtOnce?.(ERRORS_ONLY, Tensor, true);
  return runtime;
}

export function openSession(runtime: Runtime, graph: Uint8Array): Session {
  const session = new runtime.InferenceSession();
  session.loadModel(graph.buffer, graph.byteOffset, graph.byteLength, SESSION_OPTIONS);
  return session;
}
