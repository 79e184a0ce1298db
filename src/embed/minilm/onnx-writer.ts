/** Writes an ONNX model as one protobuf (onnx.proto, field numbers below). Supports only what Retain's graph needs. */
import { bytes, type Encoded, fields, float, integer, join, message, text } from "./protobuf.ts";

const IR_VERSION = 9;
/** The domain of ONNX Runtime's own operators. */
const RUNTIME_DOMAIN = "com.microsoft";

const ELEMENT_TYPES = { float32: 1, uint8: 2, int8: 3, int64: 7 } as const;
type ElementType = keyof typeof ELEMENT_TYPES;
type Weights = Float32Array | Uint8Array | Int8Array | BigInt64Array;

/** A dimension: a number, or the name of a variable one. */
type Shape = readonly (number | string)[];

/** Numbers are written as integers; a float attribute is `{ float }`. */
type Attribute = number | readonly number[] | { readonly float: number };

const ATTRIBUTE_TYPES = { float: 1, integer: 2, integers: 7 } as const;

export class OnnxWriter {
  private readonly graph: Encoded[] = [];
  private names = 0;

  constructor(private readonly opset: number) {}

  input(name: string, type: ElementType, shape: Shape): string {
    this.graph.push(message(11, valueInfo(name, type, shape)));
    return name;
  }

  output(name: string, type: ElementType, shape: Shape): void {
    this.graph.push(message(12, valueInfo(name, type, shape)));
  }

  /** A constant tensor; returns its name. */
  weights(values: Weights, shape: readonly number[]): string {
    const name = this.freshName("w");
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.graph.push(
      message(
        5,
        fields(
          ...shape.map((size) => integer(1, size)),
          integer(2, ELEMENT_TYPES[elementTypeOf(values)]),
          text(8, name),
          bytes(9, raw),
        ),
      ),
    );
    return name;
  }

  /** One operator with one result; returns the result's name. */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute> = {},
    output = this.freshName("t"),
  ): string {
    this.nodeWith(operator, inputs, [output], attributes);
    return output;
  }

  /** An operator with these `outputs`. An empty input name means an omitted input. */
  nodeWith(
    operator: string,
    inputs: readonly string[],
    outputs: readonly string[] | number,
    attributes: Record<string, Attribute> = {},
  ): string[] {
    const names =
      typeof outputs === "number" ? Array.from({ length: outputs }, () => this.freshName("t")) : [...outputs];
    const own = operator.startsWith(`${RUNTIME_DOMAIN}.`);
    this.graph.push(
      message(
        1,
        fields(
          ...inputs.map((name) => text(1, name)),
          ...names.map((name) => text(2, name)),
          text(4, own ? operator.slice(RUNTIME_DOMAIN.length + 1) : operator),
          ...Object.entries(attributes).map(([name, value]) => message(5, attribute(name, value))),
          ...(own ? [text(7, RUNTIME_DOMAIN)] : []),
        ),
      ),
    );
    return names;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return join(
      fields(
        integer(1, IR_VERSION),
        text(2, "retain"),
        message(7, fields(text(2, "graph"), ...this.graph)),
        message(8, fields(text(1, ""), integer(2, this.opset))),
        message(8, fields(text(1, RUNTIME_DOMAIN), integer(2, 1))),
      ),
    );
  }

  private freshName(prefix: string): string {
    this.names += 1;
    return `${prefix}${this.names}`;
  }
}

function valueInfo(name: string, type: ElementType, shape: Shape): Encoded {
  const dimensions = shape.map((size) =>
    message(1, typeof size === "number" ? integer(1, size) : text(2, size)),
  );
  const tensor = fields(integer(1, ELEMENT_TYPES[type]), message(2, fields(...dimensions)));
  return fields(text(1, name), message(2, message(1, tensor)));
}

function attribute(name: string, value: Attribute): Encoded {
  const typed = (type: keyof typeof ATTRIBUTE_TYPES, ...content: Encoded[]) =>
    fields(text(1, name), ...content, integer(20, ATTRIBUTE_TYPES[type]));
  if (typeof value === "number") return typed("integer", integer(3, value));
  if ("float" in value) return typed("float", float(2, value.float));
  return typed("integers", ...value.map((item) => integer(8, item)));
}

function elementTypeOf(values: Weights): ElementType {
  if (values instanceof Float32Array) return "float32";
  if (values instanceof Uint8Array) return "uint8";
  return values instanceof Int8Array ? "int8" : "int64";
}
