/**
 * Workers distributed by effect/cluster: one entity per lane, so that one runner of the cluster
 * owns the lane. Start the program on any number of machines:
 * `ENGINE_DATABASE=postgres://… node cluster.ts accounts.json [lease in seconds]`.
 * docs/run.md#engines
 * explains when to use this approach.
 */
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Cause, Deferred, Effect, Exit, FiberMap, Layer, Option, Redacted } from "effect"
import { Entity, RunnerAddress, Singleton } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { createServer } from "node:net"
import { open } from "./lanes.ts"

const [file = "accounts.json", lease = "120"] = process.argv.slice(2)

/** Work of a lane. Requested again while work is left, so messages need no persistence. */
const Lane = Entity.make("Lane", [Rpc.make("work")])

const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

const worker = Effect.gen(function* () {
  const { drainLane, lanes, look } = yield* open(file, `${Number(lease)} seconds`)
  const stopping = yield* Deferred.make<void>()
  const entity = Lane.toLayer({
    work: ({ address }) =>
      Effect.asVoid(Effect.raceFirst(Deferred.await(stopping), Effect.orDie(drainLane(address.entityId))))
  })
  /**
   * Looks for lanes with work on one runner of the cluster, and asks their owners to work. Includes
   * lanes that were Busy or Waiting before.
   */
  const looking = Singleton.make(
    "look for lanes",
    Effect.gen(function* () {
      const client = yield* Lane.client
      const asked = yield* FiberMap.make<string>()
      while (true) {
        for (const lane of yield* Effect.orElseSucceed(lanes, () => [])) {
          yield* FiberMap.run(asked, lane, Effect.ignore(client(lane).work()), { onlyIfMissing: true })
        }
        yield* Effect.sleep("500 millis")
      }
    }).pipe(Effect.scoped)
  )
  const port = yield* freePort
  const cluster = NodeClusterSocket.layer({
    storage: "sql",
    shardingConfig: {
      runnerAddress: Option.some(RunnerAddress.make("127.0.0.1", port)),
      // detects a dead runner within seconds; the defaults take half a minute
      shardLockRefreshInterval: "1 second",
      shardLockExpiration: "4 seconds",
      refreshAssignmentsInterval: "1 second",
      entityTerminationTimeout: "90 seconds"
    }
  })
  const database = PgClient.layer({ url: Redacted.make(process.env["ENGINE_DATABASE"] ?? "") })
  yield* Effect.forkScoped(look)
  yield* Layer.build(Layer.mergeAll(entity, looking).pipe(Layer.provide(cluster), Layer.provide(database)))
  // runs first at shutdown: the cluster waits for its messages, and a lane may work for another
  // minute
  yield* Effect.addFinalizer(() => Deferred.succeed(stopping, undefined))
  return yield* Effect.never
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

// on termination, the program waits for answers in progress; an interruption is not a failure
NodeRuntime.runMain(worker, {
  teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
})
