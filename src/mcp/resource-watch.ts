/**
 * Notifies one client of changed resources, whichever program changed them. Files are watched only while the client has a list of resources
 * or subscriptions; when something changes, the list and the subscribed resources are compared with what the client knows.
 */
import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { type Watcher, watchEver } from "../files/watch/watcher.ts";

/** The method that replaces resources/subscribe since revision 2026-07-28. The SDK answers it. */
export const LISTEN = "subscriptions/listen";

interface Watched {
  /** The directories of the memory, whether or not they exist. */
  directories(): readonly string[];
  list(): Promise<string>;
  /** null if there is no such memory. Throws if the URI isn't one of a memory. */
  read(uri: string): Promise<string | null>;
  report(error: unknown): void;
}

interface Listener {
  sendResourceListChanged(): Promise<void>;
  sendResourceUpdated(params: { uri: string }): Promise<void>;
}

export class ResourceWatch {
  #listener: Listener | null = null;
  /** Clients of earlier revisions hear of a changed list without asking. */
  #isUnasked = false;
  #list: string | null = null;
  /** The text that the client knows, by subscribed URI. */
  readonly #known = new Map<string, string | null>();
  /** The URIs of each `subscriptions/listen` request. */
  readonly #listens = new Map<unknown, readonly string[]>();
  #watcher: Watcher | null = null;

  constructor(private readonly watched: Watched) {}

  tell(listener: Listener, isUnasked: boolean): void {
    this.#listener = listener;
    this.#isUnasked = isUnasked;
  }

  /** The client has this list now. */
  listed(list: string): void {
    if (this.#isUnasked) this.#watchList(list);
  }

  /** Throws if the URI isn't one of a memory. */
  async subscribe(uri: string): Promise<void> {
    this.#known.set(uri, await this.watched.read(uri));
    this.#watch();
  }

  unsubscribe(uri: string): void {
    this.#known.delete(uri);
    this.#rest();
  }

  /** Resolves once later changes are noticed. */
  async heard(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message) && message.method === LISTEN)
      await this.#listen(message.id, message.params);
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
      this.#unlisten(message.params?.requestId);
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  async #listen(id: unknown, params: unknown): Promise<void> {
    const { notifications } = (params ?? {}) as { notifications?: Readonly<Record<string, unknown>> };
    const { resourcesListChanged, resourceSubscriptions } = notifications ?? {};
    const uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions.map(String) : [];
    this.#listens.set(id, uris);
    // An invalid URI has no changes.
    for (const uri of uris) await this.subscribe(uri).catch(() => {});
    if (resourcesListChanged === true) this.#watchList(await this.watched.list());
  }

  #unlisten(id: unknown): void {
    const uris = this.#listens.get(id) ?? [];
    this.#listens.delete(id);
    const others = new Set([...this.#listens.values()].flat());
    for (const uri of uris) if (!others.has(uri)) this.#known.delete(uri);
    if (this.#listens.size === 0 && !this.#isUnasked) this.#list = null;
    this.#rest();
  }

  #watchList(list: string): void {
    this.#list = list;
    this.#watch();
  }

  #rest(): void {
    if (this.#list === null && this.#known.size === 0) this.close();
  }

  #watch(): void {
    const { directories, report } = this.watched;
    this.#watcher ??= watchEver(
      directories,
      () => this.#compare(),
      (_directory, cause) => report(cause),
    );
  }

  async #compare(): Promise<void> {
    try {
      for (const [uri, before] of [...this.#known]) {
        const now = await this.watched.read(uri);
        if (now === before || !this.#known.has(uri)) continue;
        this.#known.set(uri, now);
        await this.#listener?.sendResourceUpdated({ uri });
      }
      if (this.#list === null) return;
      const list = await this.watched.list();
      if (list === this.#list) return;
      this.#list = list;
      await this.#listener?.sendResourceListChanged();
    } catch (error) {
      this.watched.report(error);
    }
  }
}
