/**
 * Decides who may talk to a local server. A web page can send requests there under a name that resolves to 127.0.0.1; its Host
 * and Origin headers reveal it. Explicit matching, since URL parsers are too lenient.
 */

const LOOPBACK = String.raw`(?:localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])`;
const HOST = new RegExp(`^${LOOPBACK}(?::\\d{1,5})?$`, "i");
const ADDRESS = new RegExp(`^(?:${LOOPBACK}|::1)$`, "i");

/** Whether a listening address is local. */
export function isLoopback(address: string): boolean {
  return ADDRESS.test(address);
}

/** Whether a Host header names this machine, with any port, since a tunnel may use another. */
export function isLoopbackHost(header: string | null): header is string {
  return header !== null && HOST.test(header);
}

/** Whether an Origin header belongs to this server. Programs send none. */
export function isOwnOrigin(origin: string | null, host: string): boolean {
  return origin === null || origin.toLowerCase() === `http://${host.toLowerCase()}`;
}
