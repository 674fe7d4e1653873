/** Which store a command works on: `--store FILE`, else the one in the working directory. */
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { SubmissionKey } from "@fiscal-connector/core/submission/PlannedDocument"
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import { Effect, FileSystem, type Layer } from "effect"
import { Argument, Flag } from "effect/cli"
import { Quit } from "../output/Quit.ts"

export const storeFlags = {
  store: Flag.Path("store").pipe(
    Flag.withDescription("the file that keeps the submissions"),
    Flag.withDefault("fiscal-connector.db")
  )
}

export const idArgument = Argument.String("id").pipe(Argument.withDescription("the document's number or identifier"))

/** A misspelt path does not make a new store. */
const onExisting =
  (layer: (config: { readonly filename: string }) => Layer.Layer<SubmissionStore, StoreError>) =>
  <A, E, R>(file: string, effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      if (!(yield* fs.exists(file))) {
        return yield* new Quit({
          code: 1,
          text: `There is no store ${file}. Say which with --store; the first import makes one.`
        })
      }
      if (Number((yield* fs.stat(file)).size) === 0) {
        return yield* new Quit({
          code: 1,
          text: `${file} is empty, and no store. Say which is with --store; the first import makes one.`
        })
      }
      return yield* effect.pipe(Effect.provide(layer({ filename: file })))
    })

/** Runs the effect on an existing store, which it only looks at: no file is created, changed or left behind. */
export const onStore = onExisting(SqliteStore.layerReading)

/** Runs the effect on an existing store, which it changes. */
export const changingStore = onExisting(SqliteStore.layer)

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
