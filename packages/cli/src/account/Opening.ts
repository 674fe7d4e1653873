/** Opens accounts to send for, and says in the command's own words what stands in the way. */
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import * as OpenAccount from "@fiscal-connector/core/account/OpenAccount"
import { type AccountStopped, finding, type StopReason } from "@fiscal-connector/core/account/StopReason"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Console, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { report } from "../output/FindingReport.ts"
import { printable } from "../output/Terminal.ts"
import { Quit } from "../output/Quit.ts"

/** The flags of every command that sends. */
export const openingFlags = {
  live: Flag.Boolean("live").pipe(
    Flag.withDescription("send to a live device: what is fiscalised there is taxed"),
    Flag.withDefault(false)
  ),
  firstUse: Flag.String("first-use").pipe(
    Flag.withDescription(
      "the code that confirms the first use of a live device by this store, as the refusal shows it"
    ),
    Flag.optional
  )
}

export interface Given {
  readonly live: boolean
  readonly firstUse: Option.Option<string>
}

export const optionsOf = (
  { firstUse, live }: Given,
  witness: OpenAccount.OpeningOptions["witness"]
): OpenAccount.OpeningOptions => ({
  live: live ? "allowed" : "not-allowed",
  firstUse: Option.getOrUndefined(firstUse),
  witness
})

/** What a person reads: nothing was sent, why, and the flag or command that settles it. */
export const explain = ({ account, reasons }: AccountStopped): string => {
  const ofLive = reasons.filter(isOfLive)
  const others = reasons.filter((reason) => !isOfLive(reason))
  const findings = others.map((reason) => {
    const found = finding(reason)
    const how = inFlags(account, reason)
    return { finding: how === null ? found : { ...found, fix: how }, subject: undefined }
  })
  return [
    ...(findings.length === 0 ? [] : [`Nothing was sent for the account ${account}:\n\n${report(findings)}`]),
    ...(ofLive.length === 0 ? [] : [liveDevice(ofLive)])
  ].join("\n\n")
}

type OfLive = Extract<StopReason, { readonly _tag: "LiveNotAllowed" | "FirstUse" }>

const isOfLive = (reason: StopReason): reason is OfLive =>
  reason._tag === "LiveNotAllowed" || reason._tag === "FirstUse"

/** Whose device it is, and what a person has to say before anything goes to it. */
const liveDevice = (reasons: ReadonlyArray<OfLive>): string => {
  const { device } = reasons[0]!
  const lines = [
    `taxpayer     ${device.taxpayerName ?? ""} (TIN ${device.tin ?? "not given"})`,
    `device       ${device.deviceId}, serial number ${device.serial ?? "not given"}`,
    `environment  ${device.environment}`
  ]
  const said = reasons.map((reason) =>
    reason._tag === "LiveNotAllowed" ? "If that is meant, say --live." : firstUse(reason)
  )
  return [
    `This device is live; nothing was sent. What is sent to it is fiscalised and taxed:\n  ${lines.map(printable).join("\n  ")}`,
    ...said
  ].join("\n")
}

const firstUse = ({ code, other }: Extract<StopReason, { readonly _tag: "FirstUse" }>): string =>
  [
    "This store has never sent to it: another store may already have sent these documents, and then they would be fiscalised twice.",
    ...(other === null
      ? []
      : [`A store that is not this one had made ${other.attempts} requests to it, the last seen at ${other.at}.`]),
    `If no other store was ever used for this device, say --first-use ${code}; the code is good for this device and this store alone. Else use the store that was.`
  ].join("\n")

/** What settles it on the command line; null where the finding itself says all there is to do. */
const inFlags = (account: string, reason: StopReason): string | null => {
  switch (reason._tag) {
    case "DeviceChanged":
      return `Put the former device back. Where it was really replaced: connector account repin ${account} --config FILE --because "…"`
    case "StoreOlder":
      return 'Put the newest copy in its place. Where there is none: connector store accept-older --config FILE --because "…", which holds every document that is still planned.'
    default:
      return null
  }
}

const asQuit = (error: AccountStopped) => new Quit({ code: 1, text: explain(error) })

/**
 * Opens the account; fails with Quit, exit code 1. Warnings go to standard error. `about`: what is said of the documents that would go where a
 * first use has to be confirmed.
 */
export const open = <E = never, R = never>(
  settings: AccountSettings,
  options: OpenAccount.OpeningOptions,
  about: Effect.Effect<string, E, R> = Effect.succeed("")
) =>
  Effect.gen(function* () {
    const account = yield* Effect.catchTag(OpenAccount.open(settings, options), "AccountStopped", (error) =>
      error.reasons.some(({ _tag }) => _tag === "FirstUse")
        ? Effect.flatMap(about, (said) => Effect.fail(new Quit({ code: 1, text: `${explain(error)}${said}` })))
        : Effect.fail(asQuit(error))
    )
    if (account.warnings.length > 0) {
      yield* Console.error(report(account.warnings.map((finding) => ({ finding, subject: account.account }))))
    }
    return account
  })

/** Opens each of the accounts, whatever becomes of the others. */
export const openEach = (accounts: ReadonlyArray<AccountSettings>, options: OpenAccount.OpeningOptions) =>
  Effect.gen(function* () {
    const opened: Array<OpenAccount.OpenAccount> = []
    const stopped: Array<AccountStopped> = []
    for (const settings of accounts) {
      yield* OpenAccount.open(settings, options).pipe(
        Effect.map((account) => void opened.push(account)),
        Effect.catchTag("AccountStopped", (error) => Effect.sync(() => void stopped.push(error)))
      )
    }
    return { opened, stopped }
  })

/** Opens those of the accounts that share the lane: their documents stand in the same line. One that cannot be opened is said and left out. */
export const openBeside = (
  { destination }: OpenAccount.OpenAccount,
  others: ReadonlyArray<AccountSettings>,
  options: OpenAccount.OpeningOptions
) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const views = yield* store.lanes()
    const sharing = views.find(({ lane }) => lane === destination.lane)?.accounts ?? []
    const { opened, stopped } = yield* openEach(
      others.filter(({ account }) => sharing.includes(account)),
      options
    )
    for (const error of stopped) {
      yield* Console.error(`${explain(error)}\n\nIts documents in the line of the same device are waited for.`)
    }
    return opened
  })
