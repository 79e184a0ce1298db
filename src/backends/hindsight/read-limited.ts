/** Reads an answer no further than it may be long: a server's word is not taken for how much memory it may fill. */

/** As text; null where there is more than `limit` bytes. Throws where the connection breaks. */
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
