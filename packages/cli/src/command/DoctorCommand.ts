import { ConfigFile, StoreWitnessFile } from "@fiscal-connector/core/session"
import { ConfigSurroundings, Doctor } from "@fiscal-connector/core/host/account"
import { HostProcess, LocalDateTime } from "@fiscal-connector/core/host"
import { StoreOpening, UndiciHttpClient } from "@fiscal-connector/core/node"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { DateTime, Effect, Option } from "effect"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import { onPlace } from "../account/StoreFlags.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import { report } from "../output/FindingReport.ts"
import { padEnd, printable } from "../output/Terminal.ts"
import { notDone } from "../output/ExitError.ts"
import { accountFlags } from "../account/AccountFlags.ts"
import { Call, type CallShape } from "../output/Call.ts"
import * as Output from "../output/Output.ts"
import * as StoreJson from "./store/StoreJson.ts"
import { describedCommand, optionalText } from "../output/Flags.ts"
import { paragraphs } from "../output/Paragraphs.ts"

const marks: Readonly<Record<Doctor.Check["state"], string>> = {
  fine: "ok",
  look: "look",
  broken: "BROKEN",
  "not-asked": "?"
}

export const examine = Effect.fnUntraced(function* (given: {
  readonly config: string
  readonly account: Option.Option<string>
  readonly book: Option.Option<string>
}) {
  const book = Option.isNone(given.book) ? undefined : yield* BookOfExport.load(given.book.value)
  const { assumptions, config, operations } = yield* ConfigAccount.gateway(given.config, given.account)
  const zone = LocalDateTime.zoneOf(assumptions["TIME-1"], book?.zone ?? DateTime.zoneMakeLocal())
  const { env } = yield* HostProcess.HostProcess
  const read = yield* ConfigFile.read(given.config, env)
  const configuration = [
    ...read.findings,
    ...read.accounts.filter(({ name }) => name === config.name).flatMap((one) => one.findings),
    ...(yield* ConfigSurroundings.look(read, env))
  ]
  const witness = yield* StoreWitnessFile.make(given.config)
  const asked = (store: Doctor.DoctorRequest["store"]) =>
    Doctor.examine({
      account: config.name,
      baseUrl: config.gateway.baseUrl,
      configuration,
      requests: config.gateway.secret === undefined ? "unsigned" : "signed",
      clockSkew: config.policy.clockSkew,
      assumptions,
      gateway: operations,
      zone,
      book,
      store,
      witness
    }).pipe(Effect.provide(UndiciHttpClient.layer()))
  const isThere = yield* StoreOpening.isThere(config.store).pipe(Effect.catchTag("StoreError", Effect.succeed))
  if (typeof isThere !== "boolean") return yield* asked(isThere)
  return isThere
    ? yield* onPlace(config.store, Effect.flatMap(SubmissionStore.SubmissionStore, asked)).pipe(
        Effect.catchTag("StoreError", asked)
      )
    : yield* asked(undefined)
})

export const doctor = describedCommand(
  "doctor",
  "Check everything an account needs before it can send; change nothing. Exit code 1 if something is broken",
  {
    ...accountFlags,
    book: optionalText("book", "the mapping book to compare with the gateway and the device")
  },
  Effect.fnUntraced(function* (given) {
    const checks = yield* examine(given)
    const { figures, shown } = (yield* Output.Output).verbosity === "verbose" ? patience : brief
    yield* Output.answer(
      "checks",
      { checks: checks.map(StoreJson.ofCheck), ...figures },
      paragraphs([text(checks, yield* Call), shown])
    )
    if (!Doctor.isWell(checks)) return yield* notDone("")
  }, Effect.scoped)
)

const brief = { figures: {}, shown: "" }

const patience = {
  figures: { patience: Doctor.patience },
  shown: [
    "Figures of patience:",
    ...Doctor.patience.map(
      ({ is, mutant, name, reason, unit }) => `  ${name}: ${is} ${unit}: ${reason} (proven by: ${mutant})`
    )
  ].join("\n")
}

const assumptionMarks = { agrees: "agrees", contradicts: "DIFFERS", "not-seen": "not seen yet" } as const

const seenText = (checks: ReadonlyArray<Doctor.Check>): string => {
  const all = checks.flatMap(({ assumptions = [] }) => assumptions)
  const lines = all.flatMap(({ id, is, saw }) =>
    is === "no-evidence" || is === "not-seen" ? [] : [`  ${padEnd(id, 7)}  ${assumptionMarks[is]}: ${printable(saw)}`]
  )
  const open = all.filter(({ is }) => is === "not-seen").map(({ id }) => id)
  if (lines.length === 0) return ""
  const rest = open.length === 0 ? [] : [`  ${assumptionMarks["not-seen"]}: ${open.join(", ")}`]
  return ["What this account has seen of its gateway, by assumption:", ...lines, ...rest].join("\n")
}

export const text = (checks: ReadonlyArray<Doctor.Check>, call: CallShape): string => {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.map(
    ({ name, state, text }) => `${padEnd(marks[state], 6)}  ${padEnd(name, width)}  ${printable(text)}`
  )
  const found = checks.flatMap(({ findings, name }) => findings.map((finding) => ({ finding, subject: name })))
  return paragraphs([lines.join("\n"), seenText(checks), found.length === 0 ? "" : report(found, call)])
}
