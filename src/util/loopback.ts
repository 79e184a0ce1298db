/**
 * Who may talk to a server on this machine's own address. A page on the web can send requests there, under a name that its
 * owner points at 127.0.0.1; the Host and Origin headers give it away. Written out, since URL parsers are too kind.
 */

const LOOPBACK = String.raw`(?:localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])`;
const HOST = new RegExp(`^${LOOPBACK}(?::\\d{1,5})?$`, "i");
const ADDRESS = new RegExp(`^(?:${LOOPBACK}|::1)$`, "i");

/** Whether an address to listen on is this machine's own. */
export function isLoopback(address: string): boolean {
  return ADDRESS.test(address);
}

/** Whether a Host header names this machine, with any port: a tunnel may have another one. */
export function isLoopbackHost(header: string | null): header is string {
  return header !== null && HOST.test(header);
}

/** Whether an Origin header is that of a page from this very server. Programs send none. */
export function isOwnOrigin(origin: string | null, host: string): boolean {
  return origin === null || origin.toLowerCase() === `http://${host.toLowerCase()}`;
}
