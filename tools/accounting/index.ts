/**
 * Client that the vendor of a Xero-shaped system publishes for its own interface, and the axios
 * that it sends with. Installed by the first proof that imports it.
 */
import { createRequire } from "node:module"
import { install } from "../../scripts/Tools.ts"

install("accounting")
const { XeroClient } = await import("xero-node")
const require = createRequire(import.meta.resolve("xero-node"))

/** The part of axios that a proof needs: every request passes here before it is sent. */
interface Sender {
  readonly interceptors: {
    readonly request: { readonly use: (change: (request: { url: string }) => { url: string }) => number }
  }
}

const sender = require("axios") as Sender

/**
 * Sends all requests of the client to this address instead of the vendor's hosts, which the client
 * does not let its user change.
 */
export const redirect = (address: string): void => {
  sender.interceptors.request.use((request) => ({
    ...request,
    url: request.url.replace(/^https:\/\/(?:api|identity)\.xero\.com/, address)
  }))
}

export { XeroClient }
