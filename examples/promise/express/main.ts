/**
 * Runs the service on a separate port: `node main.ts FOLDER`. The folder contains accounts.json and
 * shop.book.json, and the store.
 */
import { connect } from "@fiscal-connector/promise"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { shop } from "./shop.ts"

const [folder = "."] = process.argv.slice(2)
const fiscal = await connect({
  account: "shop",
  config: `${folder}/accounts.json`,
  book: `${folder}/shop.book.json`,
  store: { sqlite: `${folder}/shop.db` }
})
const server = shop(fiscal).listen(Number(process.env["PORT"] ?? 0), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
)

const stop = new AbortController()
process.once("SIGTERM", () => stop.abort())
// sends submitted orders, and polls outcomes that no webhook delivered
while (!stop.signal.aborted) {
  await fiscal.run({ signal: stop.signal }).catch((error: unknown) => {
    if (!stop.signal.aborted) console.error(error)
  })
  await setTimeout(500, undefined, { signal: stop.signal }).catch(() => undefined)
}
server.close()
await fiscal[Symbol.asyncDispose]()
