/**
 * The addresses of this machine itself: what is sent to them crosses no network, so http is safe.
 */

const names = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i

/** True if the host name of a URL, or a host as a driver names it, is this machine. */
export const isLoopback = (hostname: string): boolean => names.test(hostname)
