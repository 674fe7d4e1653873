/** `connector resume`: goes on where an import was cut off, and looks for the outcomes that are still awaited. */
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as Runner from "@fiscal-connector/core/submission/Runner"
import type { State } from "@fiscal-connector/core/submission/Submission"
import { Console, Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as Engine from "../account/Engine.ts"
import * as LiveGuard from "../account/LiveGuard.ts"
import * as Progress from "../import/Progress.ts"
import * as AuthorityCodes from "../output/AuthorityCodes.ts"
import { columns, why } from "../output/SubmissionTable.ts"
import { table } from "../output/Table.ts"
import { Quit } from "../Quit.ts"

const open: ReadonlyArray<State> = ["Planned", "Held", "Sending", "Accepted", "Unknown", "Expired"]

export const resume = Command.make(
  "resume",
  {
    config: Flag.File("config", { mustExist: true }).pipe(Flag.withDescription("the configuration with the account")),
    account: Flag.String("account").pipe(
      Flag.withDescription("which account of the configuration, where it has several"),
      Flag.optional
    ),
    live: Flag.Boolean("live").pipe(Flag.withDescription("send to a live device"), Flag.withDefault(false))
  },
  ({ account: named, config, live }) =>
    Effect.gen(function* () {
      const account = yield* ConfigAccount.connect(config, named)
      yield* LiveGuard.check(account, live ? "live" : "not-given")
      const name = account.submitting.account
      yield* Effect.gen(function* () {
        const store = yield* SubmissionStore
        const awaited = yield* Stream.runCount(
          store.stream({ accounts: [name], states: ["Planned", "Sending", "Accepted"] })
        )
        yield* Progress.during(awaited, Runner.settle([account.submitting]))
        const left = yield* Stream.runCollect(store.stream({ accounts: [name], states: open }))
        if (left.length === 0) return yield* Console.log("Nothing is open.")
        const codes = AuthorityCodes.report(left.map(why))
        yield* Console.log([table(columns, left), ...(codes === "" ? [] : [codes])].join("\n\n"))
        return yield* new Quit({
          code: 3,
          text: `${left.length} still open; connector explain NUMBER says more about one.`
        })
      }).pipe(Effect.provide(Engine.layer(account.store)))
    }).pipe(Effect.scoped)
).pipe(Command.withDescription("Go on where an import was cut off"))
