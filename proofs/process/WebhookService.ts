/** A service under Fastify that takes the gateway's deliveries, to be killed: `FOLDER PORT`. With `send` it sends first what sales.json has. */
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
  // everything is sent, and nothing is waited for: outcomes come by delivery alone
  await fiscal.run({ patienceMs: 1 })
}
process.stdout.write("ready\n")
