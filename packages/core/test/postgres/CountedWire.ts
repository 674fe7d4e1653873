/** Wire to the database that counts round trips: the number of sends after an answer. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import { Effect, Redacted, type Scope } from "effect"

export interface CountedWire {
  /** The database's address through the wire. */
  readonly url: Redacted.Redacted
  /** Returns the number of round trips of all connections so far. */
  readonly trips: () => number
}

export const make = (url: Redacted.Redacted): Effect.Effect<CountedWire, never, Scope.Scope> =>
  Effect.gen(function* () {
    const far = new URL(Redacted.value(url))
    const sockets = new Set<Socket>()
    let trips = 0
    const server = createServer((near) => {
      const database = connect(Number(far.port === "" ? 5432 : far.port), far.hostname)
      let isAnswered = true
      for (const socket of [near, database]) {
        sockets.add(socket.on("error", () => undefined))
        socket.on("close", () => {
          near.destroy()
          database.destroy()
        })
      }
      near.on("data", (sent) => {
        if (isAnswered) trips++
        isAnswered = false
        database.write(sent)
      })
      database.on("data", (answer) => {
        isAnswered = true
        near.write(answer)
      })
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done))),
      () =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
    )
    const near = new URL(far)
    near.hostname = "127.0.0.1"
    near.port = String((server.address() as AddressInfo).port)
    return { url: Redacted.make(near.href), trips: () => trips }
  })
