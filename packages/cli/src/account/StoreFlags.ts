import { ConfigStore, StoreFile } from "@fiscal-connector/core/host/account"
import { HostProcess, NumberFold, SameSale } from "@fiscal-connector/core/host"
import { Finding } from "@fiscal-connector/core/adapter"
import {
  type PlannedDocument,
  type StoreError,
  StorePlace,
  type Submission,
  SubmissionStore
} from "@fiscal-connector/core/store"
import { StoreOpening } from "@fiscal-connector/core/node"
import { Effect, type Layer, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { StatusPoller } from "@fiscal-connector/core/worker"
import { printable } from "../output/Terminal.ts"
import * as Times from "../output/Times.ts"
import { Call } from "../output/Call.ts"
import { problemList } from "../output/ProblemList.ts"
import { notDone } from "../output/ExitError.ts"
import { account, configOf, optionalConfig } from "./AccountFlags.ts"
import * as ConfigAccount from "./ConfigAccount.ts"
import * as RunEffect from "./RunEffect.ts"
import { optional, optionalText } from "../output/Flags.ts"

export const storeFlags = {
  store: optionalText(
    "store",
    `the store: a file, default ${ConfigStore.defaultFile}, or postgres://user@host/database`
  ),
  config: optionalConfig
}

export const documentFlags = {
  ...storeFlags,
  account,
  kind: optional(
    Flag.Literals("kind", ["invoice", "credit-note"]),
    "the kind, if an invoice and a credit note have the same number"
  )
}

export const idArgument = Argument.String("id").pipe(Argument.withDescription("the document's number or identifier"))

export interface WhichStore {
  readonly store: Option.Option<string>
  readonly config: Option.Option<string>
}

export const placeOf = (text: string) =>
  Effect.flatMap(
    Effect.flatMap(HostProcess.HostProcess, ({ env }) => ConfigStore.fromText(text, env)),
    ({ findings, place }) =>
      place === null ? Effect.fail(notDone(problemList(findings.filter(Finding.refuses)))) : Effect.succeed(place)
  )

export const chosen = Effect.fnUntraced(function* ({ config, store }: WhichStore) {
  if (Option.isSome(config) && Option.isSome(store)) {
    return yield* notDone("Name the store by --store or by --config, not by both.")
  }
  if (Option.isSome(store)) return yield* placeOf(store.value)
  const configured = yield* configOf(config)
  if (Option.isSome(configured)) return yield* ConfigAccount.storeOf(configured.value)
  return StorePlace.file(ConfigStore.defaultFile)
})

/** Gives the error that creating would give. Does not contact a database server. */
export const mayBeMade = (place: StorePlace.StorePlace) =>
  place._tag === "File" ? StoreFile.mayBeMade(place.file) : Effect.void

export const missing = Effect.fnUntraced(function* (place: StorePlace.StorePlace) {
  const isEmpty = place._tag === "File" && (yield* StoreFile.sizeOf(place.file)) === 0
  const name = StorePlace.describe(place)
  const couldBe = yield* Effect.isSuccess(mayBeMade(place))
  const first = couldBe
    ? "the first import creates it"
    : "no import can create it there: the folder does not exist or is not writable"
  return yield* notDone(
    isEmpty
      ? `${name} is empty and is not a store. Name the store with --store or --config; ${first}.`
      : `There is no store ${name}. Name the store with --store or --config; ${first}.`
  )
})

/** A misspelled path does not create a new store. */
const onExisting =
  (layer: (place: StorePlace.StorePlace) => Layer.Layer<SubmissionStore.SubmissionStore, StoreError.StoreError>) =>
  <A, E, R>(place: StorePlace.StorePlace, effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      if (!(yield* StoreOpening.isThere(place))) return yield* missing(place)
      return yield* Effect.provide(effect, layer(place))
    })

/** Runs the effect on an existing store, read-only: creates, changes and leaves nothing. */
export const onPlace = onExisting(StoreOpening.layerReading)

export const changingPlace = <A, E, R>(place: StorePlace.StorePlace, effect: Effect.Effect<A, E, R>) =>
  onExisting(StoreOpening.layer)(place, RunEffect.watched(effect))

export const onStore = <A, E, R>(which: WhichStore, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(chosen(which), (place) => onPlace(place, effect))

export const changingStore = <A, E, R>(which: WhichStore, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(chosen(which), (place) => changingPlace(place, effect))

interface DocumentFlags {
  readonly id: string
  readonly account: Option.Option<string>
  readonly kind: Option.Option<Submission.Submission["kind"]>
}

const onlyGiven = Effect.fnUntraced(function* (id: string) {
  const store = yield* SubmissionStore.SubmissionStore
  const call = yield* Call
  const zone = yield* Times.zoneOfStore
  const health = yield* store.health(StatusPoller.retentionOf([]))
  const accounts = new Set([
    ...health.lanes.flatMap(({ accounts }) => accounts),
    ...health.refused.map(({ account }) => account)
  ])
  const texts: Array<string> = []
  for (const account of accounts) {
    for (const one of yield* store.refused.of(account)) {
      if (one.number !== id) continue
      const list = call.next({
        command: ["imports", "refused"],
        as: ["config", "store"],
        flags: ["--account", account]
      })
      const is = one.standing === "dismissed" ? "; it was dismissed" : ""
      texts.push(
        printable(
          `it was given and refused on ${Times.shown(one.lastAt, zone)} (${one.codes.join(" ")}), so nothing of it was sent${is}. The refused documents:`
        ) + `\n  ${list}`
      )
    }
    const pin = Option.getOrNull(yield* store.pinOf(account))
    const alike = pin === null ? [] : yield* store.ledger.alike(pin.taxpayer, [NumberFold.of(id)])
    for (const one of alike) {
      if (one.account !== account || one.number !== id || one.registration === "none") continue
      const what = `it is registered as ${SameSale.elsewhere(one)}, ${one.day ?? "on an unknown day"}, ${one.currency} ${one.total}`
      texts.push(printable(`${what}, so an invoice with this number is not sent.`))
    }
  }
  return texts
})

/**
 * Returns the one submission that the id, account and kind identify. Fails with ExitError if none
 * or several match.
 */
export const findOne = Effect.fnUntraced(function* ({ account, id, kind }: DocumentFlags) {
  const store = yield* SubmissionStore.SubmissionStore
  const all = yield* store.find(id)
  const found = all.filter(
    (one) =>
      (Option.isNone(account) || one.account === account.value) && (Option.isNone(kind) || one.kind === kind.value)
  )
  const [first, ...others] = found
  if (first === undefined) {
    const meant = [...Option.toArray(kind), ...Option.toArray(Option.map(account, (name) => `of the account ${name}`))]
    const given = all.length === 0 ? yield* onlyGiven(id) : []
    if (given.length > 0)
      return yield* notDone(given.map((text) => `The store has no document ${printable(id)}: ${text}`).join("\n"))
    const elsewhere = all.map((one) => `${one.kind} ${one.id} of the account ${one.account}`)
    return yield* notDone(
      [
        `The store has no document ${[id, ...meant].join(" ")}${elsewhere.length === 0 ? "" : `; it has ${elsewhere.join(", ")}`}.`,
        ...(elsewhere.length === 0
          ? [`The store has:\n  ${(yield* Call).next({ command: ["list"], as: ["config", "store"] })}`]
          : [])
      ].join("\n")
    )
  }
  if (others.length > 0) {
    const call = yield* Call
    const differ = <A>(of: (one: Submission.Submission) => A) => new Set(found.map(of)).size > 1
    const which = found.map((one) => {
      const { account, id, kind, number } = one
      const documentFlags = [
        ...(differ((each) => each.account) ? ["--account", account] : []),
        ...(differ((each) => each.kind) ? ["--kind", kind] : [])
      ]
      const next = call.next({ command: ["explain"], operands: [id], as: ["config", "store"], flags: documentFlags })
      return `  ${kind} ${id}, number ${number}, account ${account}\n    ${next}`
    })
    return yield* notDone(`${id} is not unique; choose one:\n${which.join("\n")}`)
  }
  return first
})

export const keyOf = ({ account, id, kind }: Submission.Submission): PlannedDocument.SubmissionKey => ({
  account,
  kind,
  id
})
