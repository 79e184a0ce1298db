/** Content hashes, lower-case hex. */
import { digest, xxHash64 } from "./runtime.ts";

export function sha256(data: string | Uint8Array): string {
  return digest("sha256", data);
}

/** A fast non-cryptographic hash, twelve times as fast as SHA-256, where forging gains nothing. */
export function fingerprint(data: string | Uint8Array): string {
  return xxHash64(data).toString(16);
}

/** Whether `blob` is git's object name for these bytes (SHA-1, or SHA-256 in the newer format). */
export function isGitBlob(blob: string, data: Uint8Array): boolean {
  const algorithm = blob.length === 64 ? "sha256" : "sha1";
  return digest(algorithm, Buffer.concat([Buffer.from(`blob ${data.byteLength}\0`), data])) === blob;
}
