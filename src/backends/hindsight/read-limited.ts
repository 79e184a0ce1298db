/** Reads a response up to a limit, so that a server cannot fill the memory. */

/** As text; null if there are more than `limit` bytes. Throws if the connection breaks. */
export async function readLimited(response: Response, limit: number): Promise<string | null> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const bytes of response.body) {
    length += bytes.byteLength;
    if (length > limit) return null;
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
