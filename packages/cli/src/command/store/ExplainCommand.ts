import { Action, Attention, type AttentionCode } from "@fiscal-connector/core/attention"
import { Connector } from "@fiscal-connector/core/session"
import { StatusPoller } from "@fiscal-connector/core/worker"
import { type ExchangeFacts, Timeline } from "@fiscal-connector/core/host"
import { type Attempt, type Explanation, Outcome, Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { Money, Provenance } from "@fiscal-connector/core/adapter"
import { CodeEntry, KnownCodes, PermittedDecision } from "@fiscal-connector/core/host/account"
import { type DateTime, Effect, Option } from "effect"
import { describedCommand } from "../../output/Flags.ts"
import { documentFlags, findOne, idArgument, keyOf, onStore } from "../../account/StoreFlags.ts"
import * as AuthorityCodes from "../../output/AuthorityCodes.ts"
import * as AttentionText from "../../output/AttentionText.ts"
import { Call, type CallShape } from "../../output/Call.ts"
import * as NextStep from "../../output/NextStep.ts"
import { why } from "../../output/SubmissionTable.ts"
import { printable } from "../../output/Terminal.ts"
import * as UnprovenText from "./UnprovenText.ts"
import * as Times from "../../output/Times.ts"
import * as Output from "../../output/Output.ts"
import * as StoreJson from "./StoreJson.ts"

/** Links from the gateway are untrusted text. */
const link = (url: string | null): string => (url !== null && URL.parse(url)?.protocol === "https:" ? url : "no link")

const known = ({ code, millis, stage, status }: ExchangeFacts.ExchangeFacts): string =>
  `${stage.replaceAll("-", " ")}${status === null ? "" : ` ${status}`}${code === null ? "" : `, ${code}`} after ${millis} ms`

const requestId = (
  { mentionedAt, requestId, requestIdBy }: Attempt.Attempt,
  awaited: string | null,
  zone: DateTime.TimeZone
): string => {
  if (requestId === null) return ""
  const who = requestIdBy === "operator" ? "entered by an operator" : "the gateway's own"
  if (requestId !== awaited) return `request id ${requestId}, ${who}`
  const last = mentionedAt === null ? "no status has mentioned it yet" : `pending at ${Times.shown(mentionedAt, zone)}`
  return `request id ${requestId}, ${who}; ${last}`
}

const contents = (
  { document: { payload }, submission }: Explanation.Explanation,
  zone: DateTime.TimeZone
): ReadonlyArray<string> => {
  const { currencyCode, subTotal, total, totalTax } = payload
  const [sum, net, tax] = [total, subTotal, totalTax].map((amount) => Money.formatAmount(amount))
  const dated =
    submission.receiptDate === null
      ? ""
      : `, receipt date ${Times.shown(submission.receiptDate, zone)} ${Times.label(zone)}`
  return [
    `${payload.buyerContact?.name ?? "walk-in"}, ${currencyCode} ${sum} (net ${net}, tax ${tax})${dated}`,
    `from ${Provenance.format(submission.source)}`
  ]
}

const codeOf = ({ hold, rejection, state }: Submission.Submission): string =>
  state === "Held" && hold !== null
    ? `HELD_${hold.cause}`
    : state === "Rejected" && rejection?.nature === "final"
      ? "REJECTED_FINAL"
      : state

/** Taken from the worst attention item that blocks the lane. */
const inTheWay = Effect.fnUntraced(function* ({ account, lane, state }: Submission.Submission, call: CallShape) {
  if (!Submission.moving.includes(state)) return []
  const store = yield* SubmissionStore.SubmissionStore
  const health = yield* store.health(StatusPoller.retentionOf([]))
  const accounts = new Set(health.lanes.flatMap((one) => one.accounts)).size
  const item = Attention.of(health).find((one) => stops.has(one.code) && (one.account === account || one.lane === lane))
  return (item?.actions ?? []).flatMap((action) => AttentionText.command(action, call, accounts) ?? [])
})

const stops: ReadonlySet<AttentionCode.AttentionCode> = new Set<AttentionCode.AttentionCode>([
  "ACCOUNT_STOPPED",
  "STOPPED",
  "UNKNOWN"
])

/** `first`: calls that must come before. */
const next = (
  explanation: Explanation.Explanation,
  call: CallShape,
  first: ReadonlyArray<string>
): ReadonlyArray<string> => {
  if (first.length > 0) return ["", "Next", ...first.map((line) => `  ${line}`)]
  const { conflicts, facts, submission } = explanation
  const ofNote = Attention.ofRefusedNote({ key: submission, number: submission.number, facts })
  const permitted = new Set(PermittedDecision.of(explanation).map(({ decision }) => decision))
  const { account, number, proof } = submission
  const own = ofNote.length === 0 ? [codeOf(submission)] : []
  const codes = [...own, ...conflicts.flatMap(({ code, settledAt }) => (settledAt === null ? [code] : []))]
  const steps = codes
    .flatMap((code) => CodeEntry.find(KnownCodes.coreCodes, code)?.steps ?? [])
    .filter((step) => step.do !== "explain" && step.do !== "list")
    .filter((step) => {
      const decision = Action.decisionOf(step)
      return decision === null || permitted.has(decision)
    })
    .filter((step) => step.do !== "credit" || (submission.state === "Fiscalised" && submission.kind === "invoice"))
  const lines = [
    ...ofNote.flatMap((action) => AttentionText.command(action, call, 1) ?? []),
    ...NextStep.callsFor(steps, call, { number, account }),
    ...(proof === null || proof.fiscalInvoicePdf === null
      ? []
      : [call.next({ command: ["pdf"], operands: [number], as: ["config", "account"], needs: call.configuration })])
  ]
  if (lines.length > 0) return ["", "Next", ...[...new Set(lines)].map((line) => `  ${line}`)]
  // the fix is made in the source and not here
  const fix =
    submission.state === "Fiscalised" ? undefined : CodeEntry.find(KnownCodes.coreCodes, codeOf(submission))?.fix
  return fix === undefined ? [] : ["", "Next", `  ${fix}`]
}

const print = (
  explanation: Explanation.Explanation,
  call: CallShape,
  first: ReadonlyArray<string>,
  zone: DateTime.TimeZone
): string => {
  const { attempts, candidates, conflicts, evidence, failures, submission, timeline } = explanation
  const receipts = Outcome.succeeded(evidence)
  const { account, environment, kind, lane, number, proof, revision, state } = submission
  const reason = why(submission)
  const awaited = submission.state === "Accepted" ? submission.requestId : null
  const codes = AuthorityCodes.report([[reason, ...timeline.map(({ text }) => text ?? "")].join(" ")])
  return [
    `${kind} ${number}: ${state}${reason === "" ? "" : `, ${reason}`}`,
    ...contents(explanation, zone),
    `account ${account}, lane ${lane}, ${environment}, revision ${revision}`,
    ...(proof === null ? [] : [`verification code ${proof.verificationCode ?? "not given"}, ${link(proof.qrCodeUrl)}`]),
    ...(receipts.length < 2 ? [] : [`${receipts.length} requests succeeded`]),
    ...(receipts.length < 2 ? [] : receipts).map(
      ({ codes, requestId }) =>
        `  request id ${requestId}: verification code ${codes.length === 0 ? "not given" : codes.join(" and ")}`
    ),
    ...(codes === "" ? [] : ["", ...codes.split("\n")]),
    "",
    Times.title("Attempts", zone),
    ...attempts.flatMap((attempt) => {
      const { begunAt, exchanged, id, receiptDate, repeats, result } = attempt
      const outcome =
        result === null ? "no answer yet" : "text" in result ? `${result._tag}: ${result.text}` : result._tag
      const named = requestId(attempt, awaited, zone)
      return [
        `  ${Times.shown(begunAt, zone)}  #${id} ${repeats}, receipt date ${Times.shown(receiptDate, zone)}: ${outcome}${exchanged === null ? "" : ` (${known(exchanged)})`}`,
        ...(named === "" ? [] : [`      ${named}`])
      ]
    }),
    ...(attempts.length === 0 ? ["  none: nothing of it has ever been sent"] : []),
    "",
    Times.title("Timeline", zone),
    ...Timeline.sentences(explanation).map(
      ({ at, sentence, text }) => `  ${Times.shown(at, zone)}  ${sentence}${text === null ? "" : `: ${text}`}`
    ),
    ...(conflicts.length === 0 ? [] : ["", "Conflicts"]),
    ...conflicts.map(({ code, detail, settledAt }) => `  ${code}: ${detail}${settledAt === null ? "" : " (settled)"}`),
    ...(failures.length === 0 ? [] : ["", "What the gateway says, which proves nothing yet"]),
    ...failures.flatMap((one) => UnprovenText.lines(one, zone)).map((line) => `  ${line}`),
    ...(candidates.length === 0 ? [] : ["", "Outcomes without a document; one of them may be its own"]),
    ...candidates.map(({ arrivedAt, item }) => `  ${Times.shown(arrivedAt, zone)}  ${item.requestId} ${item._tag}`),
    ...next(explanation, call, first)
  ]
    .map(printable)
    .join("\n")
}

export const explain = describedCommand(
  "explain",
  "Show the history of a document",
  { ...documentFlags, id: idArgument },
  (given) =>
    onStore(
      given,
      Effect.gen(function* () {
        const submission = yield* findOne(given)
        const explanation = yield* Connector.explain(keyOf(submission))
        if (Option.isSome(explanation)) {
          const call = yield* Call
          const first = yield* inTheWay(explanation.value.submission, call)
          yield* Output.answer(
            "explanation",
            StoreJson.ofExplanation(explanation.value),
            print(explanation.value, call, first, yield* Times.zoneOfStore)
          )
        }
      })
    )
)
