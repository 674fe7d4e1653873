/**
 * Service under Fastify that receives the gateway's deliveries, to be killed: `FOLDER PORT`. With
 * `send`, first sends the documents of sales.json.
 */
import { connect } from "../../packages/promise/src/index.ts"
import { readFileSync } from "node:fs"
import { server } from "../../examples/promise/webhooks/fastify.ts"

const [folder, port, mode] = process.argv.slice(2)
const fiscal = await connect({
  account: "shop",
  config: `${folder}/accounts.json`,
  book: `${folder}/shop.book.json`,
  store: { sqlite: `${folder}/shop.db` }
})
const app = await server(fiscal)
await app.listen({ port: Number(port), host: "127.0.0.1" })
if (mode === "send") {
  await using plan = await fiscal.plan(JSON.parse(readFileSync(`${folder}/sales.json`, "utf8")))
  await fiscal.submit(plan)
  // Sends everything without waiting: outcomes arrive by delivery only.
  await fiscal.run({ patienceMs: 1 })
}
process.stdout.write("ready\n")
