/** Explains why documents are still open after a run, with steps for each cause. */
import { LaneEndText, type LaneRun } from "@fiscal-connector/core/worker"
import type { Session } from "@fiscal-connector/core/session"
import type { Lane } from "@fiscal-connector/core/store"
import { CodeEntry, KnownCodes } from "@fiscal-connector/core/host/account"
import type { CallShape } from "../output/Call.ts"
import * as NextStep from "../output/NextStep.ts"
import { printable } from "../output/Terminal.ts"

export type Left = Pick<Session.Settlement, "lanes" | "problems">

interface Advice {
  readonly fix: string
  readonly calls: ReadonlyArray<string | null>
}

const resume = (call: CallShape) => NextStep.callFor({ do: "resume" }, call)

type ExplainedItem = ReadonlySet<string>

const ofWait = (wait: Lane.LaneWait, call: CallShape, explained: ExplainedItem): Advice => {
  const look = ({ account, id }: Lane.LaneWait["key"]) =>
    NextStep.callFor({ do: "explain" }, call, { number: id, account })
  switch (wait.for) {
    case "sending":
    case "outcome":
      return { fix: "To ask for its result again and send the rest:", calls: [resume(call)] }
    case "clock":
    case "quiet":
      return { fix: "From then on, continue with:", calls: [resume(call)] }
    case "unknown":
      return {
        fix: "Look up what happened to it and record it; then the rest is sent:",
        calls: [explained.has(wait.key.id) ? null : look(wait.key), resume(call)]
      }
    case "original":
      return { fix: "Settle the original invoice first:", calls: [look(wait.original), resume(call)] }
    case "account":
      return {
        fix: "To continue with all accounts of the device:",
        calls: [call.place === "kept" ? call.next({ command: ["resume"], as: ["config"] }) : null]
      }
  }
}

const adviceOf = (end: LaneRun.LaneEnd, call: CallShape, explained: ExplainedItem): Advice => {
  switch (end._tag) {
    case "Drained":
      return { fix: "", calls: [] }
    case "Busy":
      return {
        fix: "That process continues with it. To see its state, and to continue here after that process has ended:",
        calls: [NextStep.callFor({ do: "health" }, call), resume(call)]
      }
    case "Stopped": {
      const entry = CodeEntry.find(KnownCodes.coreCodes, end.stop.cause)
      const steps = entry?.steps ?? [{ do: "resume" }]
      return { fix: entry?.fix ?? "", calls: steps.map((step) => NextStep.callFor(step, call)) }
    }
    case "Waiting":
      return ofWait(end.wait, call, explained)
  }
}

const block = (text: string, { calls, fix }: Advice): ReadonlyArray<string> => {
  const whole = calls.flatMap((one) => (one === null ? [] : [`      ${one}`]))
  return [printable(`  ${text}`), ...(fix === "" ? [] : [`    → ${fix}`]), ...whole]
}

export const isNothing = ({ lanes, problems }: Left): boolean =>
  problems.length === 0 && lanes.every(({ end }) => end._tag === "Drained")

/**
 * Returns the report, or an empty text if nothing is left. `explained`: documents for which the
 * steps were already printed.
 */
export const report = ({ lanes, problems }: Left, call: CallShape, explained: ExplainedItem = new Set()): string => {
  const left = lanes.flatMap((report) => {
    const reason = LaneEndText.inWords(report)
    return reason === null ? [] : block(reason, adviceOf(report.end, call, explained))
  })
  const unasked = problems.flatMap(({ account, text, what }) =>
    what === "not-asked"
      ? block(`the outcomes of the account ${account} could not be asked for: ${text}`, {
          fix: "To find the cause, and to ask again:",
          calls: [NextStep.callFor({ do: "doctor" }, call), resume(call)]
        })
      : block(`outcomes of the account ${account} could not be read: ${text} (ANSWER_MISFIT)`, {
          fix: "Report the field to the gateway's operator. To ask again:",
          calls: [resume(call)]
        })
  )
  const all = [...left, ...unasked]
  return all.length === 0 ? "" : ["Not every document was fiscalised:", ...all].join("\n")
}

const causeOf = (end: LaneRun.LaneEnd): string | null =>
  end._tag === "Stopped" ? end.stop.cause : end._tag === "Waiting" ? end.wait.for : null

export const toJson = (lanes: ReadonlyArray<LaneRun.LaneReport>) =>
  lanes.flatMap((report) => {
    const because = LaneEndText.inWords(report)
    const { end, lane } = report
    return because === null ? [] : [{ lane, end: end._tag.toLowerCase(), for: causeOf(end), because }]
  })
