/** A linear layer's weights and their preparation for the graph: slice, scale, quantise to 8 bits. */

export interface Linear {
  /** [outputs, inputs], as in the model. */
  readonly weights: Float32Array;
  readonly bias: Float32Array;
  readonly outputs: number;
  readonly inputs: number;
}

interface Quantised {
  /** [inputs, outputs], for MatMul. */
  readonly values: Int8Array;
  /** One per output. */
  readonly scales: Float32Array;
}

const LARGEST = 127;

/**
 * Weights as 8-bit integers with one scale for each output. On processors without VNNI, ONNX Runtime adds products in
 * pairs and in 16 bits, where two large weights side by side overflow; the scale is therefore chosen so that no pair can.
 * The integers then give the same sums on every processor, at almost no loss.
 */
export function quantise({ weights, outputs, inputs }: Linear): Quantised {
  const values = new Int8Array(weights.length);
  const scales = new Float32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const row = weights.subarray(output * inputs, (output + 1) * inputs);
    const scale = Math.fround(largestOf(row) / LARGEST) || 1;
    scales[output] = scale;
    for (let input = 0; input < inputs; input++)
      values[input * outputs + output] = Math.round((row[input] ?? 0) / scale);
  }
  return { values, scales };
}

function largestOf(row: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < row.length; at += 2) {
    const left = row[at] ?? 0;
    const right = row[at + 1] ?? 0;
    largest = Math.max(largest, Math.abs(left), Math.abs(right), Math.abs(left + right));
  }
  return largest;
}

/** One layer with the outputs of all layers. */
export function stack(layers: readonly Linear[]): Linear {
  const weights = new Float32Array(layers.reduce((sum, layer) => sum + layer.weights.length, 0));
  const bias = new Float32Array(layers.reduce((sum, layer) => sum + layer.outputs, 0));
  let output = 0;
  for (const layer of layers) {
    weights.set(layer.weights, output * layer.inputs);
    bias.set(layer.bias, output);
    output += layer.outputs;
  }
  return { weights, bias, outputs: bias.length, inputs: layers[0]?.inputs ?? 0 };
}

/** Factors by input index. */
export type Factors = Readonly<Record<number, number>>;

/** A copy whose weights for an input are multiplied by that input's factor. */
export function scaleInputs(layer: Linear, factors: Factors): Linear {
  const weights = layer.weights.slice();
  for (const [input, factor] of Object.entries(factors))
    for (let at = Number(input); at < weights.length; at += layer.inputs)
      weights[at] = (weights[at] ?? 0) * factor;
  return { ...layer, weights };
}

/** A copy in which these outputs are always zero. */
export function silenceOutputs(layer: Linear, outputs: readonly number[]): Linear {
  const silent = { ...layer, weights: layer.weights.slice(), bias: layer.bias.slice() };
  for (const output of outputs) {
    silent.weights.fill(0, output * layer.inputs, (output + 1) * layer.inputs);
    silent.bias[output] = 0;
  }
  return silent;
}

export function pickOutputs(layer: Linear, outputs: readonly number[]): Linear {
  const rows = outputs.map((output) => ({
    weights: layer.weights.subarray(output * layer.inputs, (output + 1) * layer.inputs),
    bias: layer.bias.subarray(output, output + 1),
    outputs: 1,
    inputs: layer.inputs,
  }));
  return stack(rows);
}

/** The rows of these inputs, without the bias: [inputs, outputs], for MatMul. */
export function inputRows(layer: Linear, inputs: readonly number[]): Float32Array {
  const rows = new Float32Array(inputs.length * layer.outputs);
  inputs.forEach((input, row) => {
    for (let output = 0; output < layer.outputs; output++)
      rows[row * layer.outputs + output] = layer.weights[output * layer.inputs + input] ?? 0;
  });
  return rows;
}
