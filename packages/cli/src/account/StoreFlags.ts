/** Which store a command works on: `--store FILE`, else the one in the working directory. */
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { SubmissionKey } from "@fiscal-connector/core/submission/PlannedDocument"
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import { Effect, FileSystem } from "effect"
import { Argument, Flag } from "effect/cli"
import { Quit } from "../Quit.ts"

export const storeFlags = {
  store: Flag.Path("store").pipe(
    Flag.withDescription("the file that keeps the submissions"),
    Flag.withDefault("fiscal-connector.db")
  )
}

export const idArgument = Argument.String("id").pipe(Argument.withDescription("the document's number or identifier"))

/** Runs the effect on an existing store; a misspelt path does not make a new one. */
export const onStore = <A, E, R>(file: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (!(yield* fs.exists(file))) {
      return yield* new Quit({
        code: 1,
        text: `There is no store ${file}. Say which with --store; the first import makes one.`
      })
    }
    return yield* effect.pipe(Effect.provide(SqliteStore.layer({ filename: file })))
  })

/** The one submission a person means. */
export const findOne = Effect.fnUntraced(function* (id: string) {
  const store = yield* SubmissionStore
  const found = yield* store.find(id)
  const [first, ...others] = found
  if (first === undefined) return yield* new Quit({ code: 1, text: `The store has no document ${id}.` })
  if (others.length > 0) {
    const which = found.map(({ account, id, kind, number }) => `  ${kind} ${id}, number ${number}, account ${account}`)
    return yield* new Quit({ code: 1, text: `${id} is not the only one; say its identifier:\n${which.join("\n")}` })
  }
  return first
})

export const keyOf = ({ account, id, kind }: Submission): SubmissionKey => ({ account, kind, id })
