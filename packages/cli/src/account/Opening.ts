import { type AccountSettings, type OpenAccount, Session, StopReason } from "@fiscal-connector/core/session"
import { OpenAccounts } from "@fiscal-connector/core/host/account"
import { Console, Effect, Option } from "effect"
import { report } from "../output/FindingReport.ts"
import { printable } from "../output/Terminal.ts"
import { as } from "./DecidedBy.ts"
import { StandardStreams } from "../output/StandardStreams.ts"
import { notDone } from "../output/ExitError.ts"
import { Call, type CallShape } from "../output/Call.ts"
import { isSet, optionalText } from "../output/Flags.ts"
import { paragraphs } from "../output/Paragraphs.ts"

export const openingFlags = {
  live: isSet("live", "allow a live device: its receipts are taxed"),
  firstUse: optionalText(
    "first-use",
    "the code that confirms the first use of a live device by this store; the refusal shows it"
  ),
  as
}

export interface OpeningInput {
  readonly live: boolean
  readonly firstUse: Option.Option<string>
  readonly as: Option.Option<string>
}

export const optionsOf = (
  { as, firstUse, live }: OpeningInput,
  witness: OpenAccount.OpeningOptions["witness"]
): OpenAccount.OpeningOptions => ({
  live: live ? "allowed" : "not-allowed",
  firstUse: Option.getOrUndefined(firstUse),
  decidedBy: Option.getOrUndefined(as),
  witness
})

/**
 * An operator at a terminal has fixed the cause and wants a try now. A scheduled run keeps the
 * back-off.
 */
export const now = (options: OpenAccount.OpeningOptions): Effect.Effect<OpenAccount.OpeningOptions> =>
  Effect.map(StandardStreams, ({ inputIsTerminal }) => (inputIsTerminal ? { ...options, backOff: "over" } : options))

export const explain = ({ account, reasons }: StopReason.AccountStopped, call: CallShape): string => {
  const ofLive = reasons.filter(isOfLive)
  const others = reasons.filter((reason) => !isOfLive(reason))
  const findings = others.map((reason) => ({ finding: StopReason.finding(reason), subject: undefined, account }))
  return paragraphs([
    findings.length === 0 ? "" : `Nothing was sent for the account ${account}:\n\n${report(findings, call)}`,
    ofLive.length === 0 ? "" : liveDevice(ofLive, call)
  ])
}

type OfLive = Extract<StopReason.StopReason, { readonly _tag: "LiveNotAllowed" | "FirstUse" }>

const isOfLive = (reason: StopReason.StopReason): reason is OfLive =>
  reason._tag === "LiveNotAllowed" || reason._tag === "FirstUse"

const liveDevice = (reasons: ReadonlyArray<OfLive>, call: CallShape): string => {
  const { device } = reasons[0]!
  const lines = [
    `taxpayer     ${device.taxpayerName ?? ""} (TIN ${device.tin ?? "not given"})`,
    `device       ${device.deviceId}, serial number ${device.serial ?? "not given"}`,
    `environment  ${device.environment}`
  ]
  const first = reasons.find(({ _tag }) => _tag === "FirstUse")
  const flags = [
    ...(reasons.some(({ _tag }) => _tag === "LiveNotAllowed") ? ["--live"] : []),
    ...(first?._tag === "FirstUse" ? ["--first-use", first.code] : [])
  ]
  return [
    `This device is live; nothing was sent. Every document sent to it is fiscalised and taxed:\n  ${lines.map(printable).join("\n  ")}`,
    ...(first?._tag === "FirstUse" ? firstUse(first) : []),
    `If that is intended${first === undefined ? "" : ", and no other store was ever used for this device"}:`,
    `  ${call.again(...flags)}`
  ].join("\n")
}

const firstUse = ({
  code,
  other
}: Extract<StopReason.StopReason, { readonly _tag: "FirstUse" }>): ReadonlyArray<string> => [
  "This store has never sent to it: another store may already have sent these documents, and then they would be fiscalised twice.",
  ...(other === null
    ? []
    : [`A store that is not this one had made ${other.attempts} requests to it, the last seen at ${other.at}.`]),
  `If another store was used before, use that store. The code ${code} is good for this device and this store alone.`
]

/** Fails with exit code 1 and the text from `refusal`. */
const opening = <E, R>(
  settings: AccountSettings.AccountSettings,
  options: OpenAccount.OpeningOptions,
  refusal: (error: StopReason.AccountStopped, call: CallShape) => Effect.Effect<string, E, R>
) =>
  Effect.gen(function* () {
    const call = yield* Call
    const account = yield* Effect.catchTag(Session.open(settings, options), "AccountStopped", (error) =>
      Effect.flatMap(refusal(error, call), (text) => Effect.fail(notDone(text)))
    )
    if (account.warnings.length > 0) {
      yield* Console.error(
        report(
          account.warnings.map((finding) => ({ finding, subject: account.account })),
          call
        )
      )
    }
    return account
  })

/**
 * Opens the account. Fails with ExitError, exit code 1. Prints warnings to standard error. `about`:
 * text on the documents to send, appended if a first use must be confirmed.
 */
export const open = <E = never, R = never>(
  settings: AccountSettings.AccountSettings,
  options: OpenAccount.OpeningOptions,
  about: Effect.Effect<string, E, R> = Effect.succeed("")
) =>
  opening(settings, options, (error, call) =>
    Effect.map(
      error.reasons.some(({ _tag }) => _tag === "FirstUse") ? about : Effect.succeed(""),
      (advice) => `${explain(error, call)}${advice}`
    )
  )

/** Opens an account that never sends to a live device, even if the operator allows live sending. */
export const openTest = (settings: AccountSettings.AccountSettings, witness: OpenAccount.OpeningOptions["witness"]) =>
  opening(settings, { witness }, (error, call) => {
    const live = error.reasons.find(isOfLive)
    return Effect.succeed(
      live === undefined
        ? explain(error, call)
        : `Nothing was sent. The device ${live.device.deviceId} is live and takes documents only by import: documents sent here are not checked against its rules.`
    )
  })

/** Their documents are in the same queue. Reports and skips an account that cannot be opened. */
export const openBeside = Effect.fnUntraced(function* (
  account: OpenAccount.OpenAccount,
  others: ReadonlyArray<AccountSettings.AccountSettings>,
  options: OpenAccount.OpeningOptions
) {
  const { opened, stopped } = yield* OpenAccounts.openBeside(account, others, options)
  const call = yield* Call
  for (const error of stopped) {
    yield* Console.error(`${explain(error, call)}\n\nIts documents in the line of the same device are waited for.`)
  }
  return opened
})
