/** Counts, sizes and amounts as a person reads them. */

/** "1 document", "2 documents". */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** "812 bytes", "3.1 KB", "20 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return plural(bytes, "byte");
  const [size, unit] = bytes < 999_950 ? [bytes / 1e3, "KB"] : [bytes / 1e6, "MB"];
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size).toLocaleString("en")} ${unit}`;
}

/** "src/app.ts, 3.1 KB". */
export function fileInWords(path: string, bytes: number | null): string {
  return bytes === null ? path : `${path}, ${sizeInWords(bytes)}`;
}

/** "$0.02"; with four digits if it is less than a cent. */
export function dollars(amount: number): string {
  return `$${amount === 0 || amount >= 0.01 ? amount.toFixed(2) : amount.toFixed(4)}`;
}
