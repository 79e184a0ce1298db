/** Text that survives a reload of this tab. What doesn't fit into the browser's storage would not, so the browser asks first. */
const unstored = new Map<string, string>();

export function stored(key: string): string | null {
  return unstored.get(key) ?? sessionStorage.getItem(key);
}

export function storedKeys(beginning: string): string[] {
  return [...unstored.keys(), ...Object.keys(sessionStorage)].filter((key) => key.startsWith(beginning));
}

export function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
    unstored.delete(key);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    unstored.set(key, text);
  }
}

export function unstore(key: string): void {
  unstored.delete(key);
  sessionStorage.removeItem(key);
}

addEventListener("beforeunload", (event) => {
  if (unstored.size > 0) event.preventDefault();
});
