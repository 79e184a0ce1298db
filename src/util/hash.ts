/** Content hashes, lower-case hex. */

export function sha256(data: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(data).digest("hex");
}

/** A fast non-cryptographic hash, twelve times as fast as SHA-256, where forging gains nothing. */
export function fingerprint(text: string): string {
  return Bun.hash.xxHash64(text).toString(16);
}

/** Whether `blob` is git's object name for these bytes (SHA-1, or SHA-256 in the newer format). */
export function isGitBlob(blob: string, data: Uint8Array): boolean {
  const hasher = new Bun.CryptoHasher(blob.length === 64 ? "sha256" : "sha1");
  return hasher.update(`blob ${data.byteLength}\0`).update(data).digest("hex") === blob;
}
