/** `connector list`: what the store has, by state. */
import { states } from "@fiscal-connector/core/submission/Submission"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Console, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { onStore, storeFlags } from "../../account/StoreFlags.ts"
import * as AuthorityCodes from "../../output/AuthorityCodes.ts"
import { StandardStreams } from "../../output/StandardStreams.ts"
import { columns, csvRow, record, why } from "../../output/SubmissionTable.ts"
import { Call } from "../../output/Call.ts"
import { table } from "../../output/Table.ts"

/** Rows of a table are laid out together; more than these and a machine form is the better answer. */
const forPeople = 1000

export const list = Command.make(
  "list",
  {
    ...storeFlags,
    state: Flag.Literals("state", states).pipe(Flag.withDescription("only documents in this state"), Flag.optional),
    csv: Flag.Boolean("csv").pipe(Flag.withDescription("print CSV"), Flag.withDefault(false)),
    json: Flag.Boolean("json").pipe(Flag.withDescription("print one JSON object per line"), Flag.withDefault(false))
  },
  ({ csv, json, state, ...which }) =>
    onStore(
      which,
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const { closed } = yield* StandardStreams
        const submissions = store
          .stream(Option.match(state, { onNone: () => ({}), onSome: (one) => ({ states: [one] }) }))
          .pipe(Stream.interruptWhen(closed))
        if (json) return yield* Stream.runForEach(submissions, (one) => Console.log(JSON.stringify(record(one))))
        if (csv) {
          const rows = submissions.pipe(Stream.map(record), Stream.zipWithIndex)
          return yield* Stream.runForEach(rows, ([row, index]) =>
            Console.log(
              index === 0 ? `${csvRow(Object.keys(row))}\n${csvRow(Object.values(row))}` : csvRow(Object.values(row))
            )
          )
        }
        const shown = yield* Stream.runCollect(Stream.take(submissions, forPeople + 1))
        yield* Console.log(shown.length === 0 ? "nothing" : table(columns, shown.slice(0, forPeople)))
        const codes = AuthorityCodes.report(shown.slice(0, forPeople).map(why))
        if (codes !== "") yield* Console.log(`\n${codes}`)
        if (shown.length > forPeople) yield* Console.log(`… and more. All of them:\n  ${(yield* Call).again("--csv")}`)
      })
    )
).pipe(Command.withDescription("List what the store has"))
