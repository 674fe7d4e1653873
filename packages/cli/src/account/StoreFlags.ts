/** Which store a command works on: `--store FILE`, else the configuration's, else the one in the working directory. */
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { SubmissionKey } from "@fiscal-connector/core/submission/PlannedDocument"
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import type { StoreError } from "@fiscal-connector/core/submission/StoreError"
import { Effect, FileSystem, type Layer, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { account, configOf, optionalConfig } from "../command/AccountFlags.ts"
import { Call } from "../output/Call.ts"
import { Quit } from "../Quit.ts"
import * as ConfigAccount from "./ConfigAccount.ts"

const standard = "fiscal-connector.db"

export const storeFlags = {
  config: optionalConfig,
  store: Flag.Path("store").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(`the file that keeps the submissions; else what the configuration says, else ${standard}`),
    Flag.optional
  )
}

/** Of every command about one document. */
export const documentFlags = {
  ...storeFlags,
  account,
  kind: Flag.Literals("kind", ["invoice", "credit-note"]).pipe(
    Flag.withDescription("which of the two, where an invoice and a credit note have one number"),
    Flag.optional
  )
}

export const idArgument = Argument.String("id").pipe(Argument.withDescription("the document's number or identifier"))

interface Given {
  readonly config: Option.Option<string>
  readonly store: Option.Option<string>
}

/** The file that is meant. Fails with Quit where the configuration cannot be read. */
export const storeOf = Effect.fnUntraced(function* ({ config, store }: Given) {
  if (Option.isSome(store)) return store.value
  const configured = yield* configOf(config)
  return Option.isNone(configured) ? standard : (yield* ConfigAccount.read(configured.value)).store
})

/** A misspelt path does not make a new store. */
const onExisting =
  (layer: (config: { readonly filename: string }) => Layer.Layer<SubmissionStore, StoreError>) =>
  <A, E, R>(file: string, effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      if (!(yield* fs.exists(file))) {
        return yield* new Quit({
          code: 1,
          text: `There is no store ${file}. Say which with --config or --store; the first import makes one.`
        })
      }
      if (Number((yield* fs.stat(file)).size) === 0) {
        return yield* new Quit({
          code: 1,
          text: `${file} is empty, and no store. Say which is with --config or --store; the first import makes one.`
        })
      }
      return yield* effect.pipe(Effect.provide(layer({ filename: file })))
    })

/** Runs the effect on an existing store, which it only looks at: no file is created, changed or left behind. */
export const onStore = onExisting(SqliteStore.layerReading)

/** Runs the effect on an existing store, which it changes. */
export const changingStore = onExisting(SqliteStore.layer)

interface Named {
  readonly id: string
  readonly account: Option.Option<string>
  readonly kind: Option.Option<Submission["kind"]>
}

/** The one submission a person means. */
export const findOne = Effect.fnUntraced(function* ({ account, id, kind }: Named) {
  const store = yield* SubmissionStore
  const all = yield* store.find(id)
  const found = all.filter(
    (one) =>
      (Option.isNone(account) || one.account === account.value) && (Option.isNone(kind) || one.kind === kind.value)
  )
  const [first, ...others] = found
  if (first === undefined) {
    const meant = [...Option.toArray(kind), ...Option.toArray(Option.map(account, (name) => `of the account ${name}`))]
    const elsewhere = all.map((one) => `${one.kind} ${one.id} of the account ${one.account}`)
    return yield* new Quit({
      code: 1,
      text: `The store has no document ${[id, ...meant].join(" ")}${elsewhere.length === 0 ? "" : `; it has ${elsewhere.join(", ")}`}.`
    })
  }
  if (others.length > 0) {
    const call = yield* Call
    const differ = <A>(of: (one: Submission) => A) => new Set(found.map(of)).size > 1
    const which = found.map((one) => {
      const { account, id, kind, number } = one
      const said = [
        ...(differ((each) => each.account) ? ["--account", account] : []),
        ...(differ((each) => each.kind) ? ["--kind", kind] : [])
      ]
      const next = call.next({ command: ["explain"], operands: [id], as: ["config", "store"], flags: said })
      return `  ${kind} ${id}, number ${number}, account ${account}\n    ${next}`
    })
    return yield* new Quit({ code: 1, text: `${id} is not the only one; say which is meant:\n${which.join("\n")}` })
  }
  return first
})

export const keyOf = ({ account, id, kind }: Submission): SubmissionKey => ({ account, kind, id })
