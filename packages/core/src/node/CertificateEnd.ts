/** Reads the expiry day of a server's certificate, for the operator's error message. */
import { connect } from "node:tls"

/** Timeout in milliseconds. The request has already failed, and only its explanation waits. */
const longest = 3000

/**
 * Connects without trusting the server, reads the last day of its certificate (`2026-11-01`), and
 * closes the connection before sending a byte. Returns null on any failure.
 */
export const look = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: longest }, () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to)
      done(Number.isNaN(end) ? null : new Date(end).toISOString().slice(0, 10))
    })
    const done = (end: string | null) => {
      socket.destroy()
      resolve(end)
    }
    socket.on("error", () => done(null))
    socket.on("timeout", () => done(null))
  })
