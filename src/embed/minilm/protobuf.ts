/**
 * The protobuf wire types that an ONNX file needs. A message is a list of pieces joined once at the end, so nested weights are
 * copied only once.
 */

/** An encoded field, or several of them. */
export interface Encoded {
  readonly pieces: readonly Uint8Array[];
  readonly length: number;
}

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;
const utf8 = new TextEncoder();

export function fields(...parts: readonly Encoded[]): Encoded {
  return {
    pieces: parts.flatMap((part) => part.pieces),
    length: parts.reduce((sum, part) => sum + part.length, 0),
  };
}

/** A non-negative integer. */
export function integer(field: number, value: number): Encoded {
  return single(Uint8Array.from([...varint((field << 3) | VARINT), ...varint(value)]));
}

export function float(field: number, value: number): Encoded {
  const bytes = new Uint8Array(5);
  bytes[0] = (field << 3) | FIXED_32;
  new DataView(bytes.buffer).setFloat32(1, value, true);
  return single(bytes);
}

export function text(field: number, value: string): Encoded {
  return bytes(field, utf8.encode(value));
}

export function bytes(field: number, value: Uint8Array): Encoded {
  return message(field, single(value));
}

export function message(field: number, content: Encoded): Encoded {
  const head = Uint8Array.from([...varint((field << 3) | LENGTH_DELIMITED), ...varint(content.length)]);
  return { pieces: [head, ...content.pieces], length: head.length + content.length };
}

export function join({ pieces, length }: Encoded): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function single(piece: Uint8Array): Encoded {
  return { pieces: [piece], length: piece.length };
}

function varint(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) out.push((rest % 128) | 0x80);
  return [...out, rest];
}
