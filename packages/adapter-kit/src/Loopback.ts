/** Returns true for an http address of this machine, where a request needs no encryption. */
export const isLoopback = ({ hostname, protocol }: URL) =>
  protocol === "http:" && (hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname))
