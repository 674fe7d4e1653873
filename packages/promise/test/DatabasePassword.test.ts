/** A database that refuses the password: a retry does not help, and the error says so. */
import { assert, it } from "../../core/test/It.ts"
import { connect } from "@fiscal-connector/promise"
import { Effect } from "effect"
import { type AddressInfo, createServer } from "node:net"
import { book, failure } from "./Gateway.ts"

/** Returns a message of PostgreSQL's protocol: its letter, its length, its fields. */
const refusal = (sqlState: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0Mpassword authentication failed\0\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

const refusing = (sqlState: string) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((socket) => {
        socket.on("error", () => {})
        socket.once("data", () => socket.end(refusal(sqlState)))
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  )

it.live(
  "a database that refuses the password is not retryable, but a database with too many connections is",
  function* () {
    const account = {
      baseUrl: "http://127.0.0.1:1",
      application: "shop",
      station: "till-1",
      apiKey: "a key of the test"
    }
    const ended = []
    for (const sqlState of ["28P01", "53300"]) {
      const { port } = (yield* refusing(sqlState)).address() as AddressInfo
      const store = { postgres: `postgres://shop@127.0.0.1:${port}/shop`, password: "another password" }
      const error = yield* Effect.promise(() => failure(connect({ account: "shop", config: account, book, store })))
      assert.notInclude(error.message, "another password")
      ended.push([sqlState, error.code, error.retryable])
    }
    assert.deepStrictEqual(ended, [
      ["28P01", "store_unusable", false],
      ["53300", "store_unavailable", true]
    ])
  }
)
