/**
 * Worker like `connector work`, with a short lease: `node WorkerProcess.ts CONFIG LANES
 * LEASE_SECONDS`.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as StatusPoller from "../../packages/core/src/sending/StatusPoller.ts"
import * as Submitter from "../../packages/core/src/sending/Submitter.ts"
import * as PgHolder from "../../packages/core/src/node/PgHolder.ts"
import * as StoreOpening from "../../packages/core/src/node/StoreOpening.ts"
import { Cause, Duration, Effect, Exit, Layer, Option } from "effect"
import * as ConfigAccount from "../../packages/cli/src/account/ConfigAccount.ts"
import * as Output from "../../packages/cli/src/output/Output.ts"
import * as Working from "../../packages/cli/src/worker/Working.ts"

const [config = "", lanes = "5", seconds = "5"] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const { accounts, store } = yield* ConfigAccount.chooseAll(config, Option.none())
  if (store._tag !== "Postgres") return yield* Effect.die("the proof is about PostgreSQL")
  const lease = Duration.seconds(Number(seconds))
  const engine = Layer.unwrap(
    Effect.map(PgHolder.make(store, { lease }), (holder) =>
      Submitter.layer({ holder, lease, longestRequest: Duration.divideUnsafe(lease, 2) })
    )
  )
  return yield* Working.work(accounts, {}, { lanes: Number(lanes) }).pipe(
    Output.provide(["--json"]),
    Effect.provide(Layer.mergeAll(engine, StatusPoller.layer).pipe(Layer.provideMerge(StoreOpening.layer(store))))
  )
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

// Termination by a signal counts as success.
NodeRuntime.runMain(program, {
  teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
})
