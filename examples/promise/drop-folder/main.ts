/**
 * Watches a drop folder: `node main.ts FOLDER`. The folder contains accounts.json, shop.book.json,
 * `in` and `done`, and the store. SIGTERM ends the program after the work in progress.
 */
import { connect } from "@fiscal-connector/promise"
import { setTimeout } from "node:timers/promises"
import { dropFolder } from "./drop.ts"

const [folder = "."] = process.argv.slice(2)
const seconds = (name: string, standard: number) => Number(process.env[name] ?? standard) * 1000

const stop = new AbortController()
const { signal } = stop
process.once("SIGTERM", () => stop.abort())

const fiscal = await connect({
  account: "shop",
  config: `${folder}/accounts.json`,
  book: `${folder}/shop.book.json`,
  store: { sqlite: `${folder}/shop.db` },
  signal
})
const drops = dropFolder(fiscal, folder, seconds("SETTLED_SECONDS", 60))
while (!signal.aborted) {
  for (const [name, outcome] of await drops.look()) console.log(name, outcome)
  await setTimeout(seconds("PAUSE_SECONDS", 10), undefined, { signal }).catch(() => undefined)
}
await fiscal.close()
