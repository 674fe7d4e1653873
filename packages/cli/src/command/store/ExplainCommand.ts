/** `connector explain ID`: everything that happened to a document, attempt by attempt. */
import * as Connector from "@fiscal-connector/core/connector/Connector"
import * as Instant from "@fiscal-connector/core/document/Instant"
import type { Exchanged } from "@fiscal-connector/core/unstable/gateway/contract/Exchanged"
import type { Attempt, Explanation } from "@fiscal-connector/core/submission/SubmissionStore"
import * as Timeline from "@fiscal-connector/core/unstable/submission/Timeline"
import { DateTime, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { documentFlags, findOne, idArgument, keyOf, onStore } from "../../account/StoreFlags.ts"
import * as AuthorityCodes from "../../output/AuthorityCodes.ts"
import { why } from "../../output/SubmissionTable.ts"
import { printable } from "../../output/Terminal.ts"
import * as Output from "../../output/Output.ts"

const time = (at: DateTime.Utc) => DateTime.formatIso(at).slice(0, 19).replace("T", " ")

/** A link of the gateway is untrusted text: only https is shown as one. */
const link = (url: string | null): string => (url !== null && URL.parse(url)?.protocol === "https:" ? url : "no link")

/** `answered 502 after 31 ms`, `sent, ECONNRESET after 12 ms`. */
const known = ({ code, millis, stage, status }: Exchanged): string =>
  `${stage.replaceAll("-", " ")}${status === null ? "" : ` ${status}`}${code === null ? "" : `, ${code}`} after ${millis} ms`

/** The request id and whose word it is; of one that is awaited, whether the gateway has ever mentioned it. */
const requestId = ({ mentionedAt, requestId, requestIdBy }: Attempt, awaited: string | null): string => {
  if (requestId === null) return ""
  const who = requestIdBy === "operator" ? "given by a person" : "the gateway's own"
  if (requestId !== awaited) return `request id ${requestId}, ${who}`
  const last = mentionedAt === null ? "no status has mentioned it yet" : `pending at ${time(mentionedAt)}`
  return `request id ${requestId}, ${who}; ${last}`
}

const print = (explanation: Explanation): string => {
  const { attempts, candidates, conflicts, submission, timeline } = explanation
  const { account, environment, kind, lane, number, proof, revision, state } = submission
  const reason = why(submission)
  const awaited = submission.state === "Accepted" ? submission.requestId : null
  const codes = AuthorityCodes.report([[reason, ...timeline.map(({ text }) => text ?? "")].join(" ")])
  return [
    `${kind} ${number}: ${state}${reason === "" ? "" : `, ${reason}`}`,
    `account ${account}, lane ${lane}, ${environment}, revision ${revision}`,
    ...(proof === null ? [] : [`verification code ${proof.verificationCode ?? "not given"}, ${link(proof.qrCodeUrl)}`]),
    ...(codes === "" ? [] : ["", ...codes.split("\n")]),
    "",
    "Attempts",
    ...attempts.flatMap((attempt) => {
      const { begunAt, exchanged, id, receiptDate, repeats, result } = attempt
      const outcome =
        result === null ? "no answer yet" : "because" in result ? `${result._tag}: ${result.because}` : result._tag
      const named = requestId(attempt, awaited)
      return [
        `  ${time(begunAt)}  #${id} ${repeats}, receipt date ${Instant.format(receiptDate)}: ${outcome}${exchanged === null ? "" : ` (${known(exchanged)})`}`,
        ...(named === "" ? [] : [`      ${named}`])
      ]
    }),
    ...(attempts.length === 0 ? ["  none: nothing of it has ever been sent"] : []),
    "",
    "Timeline (UTC)",
    ...Timeline.sentences(explanation).map(
      ({ at, sentence, text }) => `  ${time(at)}  ${sentence}${text === null ? "" : `: ${text}`}`
    ),
    ...(conflicts.length === 0 ? [] : ["", "Conflicts"]),
    ...conflicts.map(({ code, detail, settledAt }) => `  ${code}: ${detail}${settledAt === null ? "" : " (settled)"}`),
    ...(candidates.length === 0 ? [] : ["", "Outcomes without a document; one of them may be its own"]),
    ...candidates.map(({ arrivedAt, item }) => `  ${time(arrivedAt)}  ${item.requestId} ${item._tag}`)
  ]
    .map(printable)
    .join("\n")
}

export const explain = Command.make("explain", { ...documentFlags, id: idArgument }, (given) =>
  onStore(
    given,
    Effect.gen(function* () {
      const submission = yield* findOne(given)
      const explanation = yield* Connector.explain(keyOf(submission))
      if (Option.isSome(explanation)) {
        yield* Output.answer("explanation", explanation.value, print(explanation.value))
      }
    })
  )
).pipe(Command.withDescription("Show everything that happened to a document"))
