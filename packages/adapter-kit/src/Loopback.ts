export const isLoopback = ({ hostname, protocol }: URL) =>
  protocol === "http:" && (hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname))
