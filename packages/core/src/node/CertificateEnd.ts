/** When the certificate of a server ended, for a person who has to tell its operator. */
import { connect } from "node:tls"

/** In milliseconds; the request has failed already, and only its explanation waits. */
const longest = 3000

/** Connects without trusting the server, reads the last day of its certificate (`2026-11-01`), and hangs up before a byte is sent. Null where it cannot. */
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
