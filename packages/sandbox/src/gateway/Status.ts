/** Answers status calls: the 7-day window and the limit of 100 ids (docs/gateway.md#limits). */
import type * as Schema from "effect/Schema"
import type { IssuedReceipt } from "../day/IssuedReceipt.ts"
import type { SandboxConfig, UnknownIds } from "../SandboxConfig.ts"
import type { QrData, StatusItem } from "../wire/StatusItem.ts"
import * as Report from "./Report.ts"
import { currentOutcome, type Outcome, type Submission } from "./Submission.ts"
import type { SandboxAccount, WorldState } from "./World.ts"

export const idsPerCall = 100
/** Time after processing during which a request is answered for, in milliseconds. */
export const window = 7 * 24 * 60 * 60 * 1000

const proofBefore = (world: WorldState, { deviceId, qrData }: IssuedReceipt): QrData | null =>
  world.receipts.all().findLast((one) => one.deviceId === deviceId && one.qrData.InvoiceNumber < qrData.InvoiceNumber)
    ?.qrData ?? null

const subjectOf = (world: WorldState, { account, document, requestId }: Submission): Report.ReportSubject => {
  const others = [...world.submissions.values()].filter(
    (one) => one.account === account && one.document.number !== document.number
  )
  const other = others.at(-1)?.document.number ?? document.number
  return { requestId, number: document.number, other, description: document.lines[0]?.description ?? "" }
}

const item = (world: WorldState, now: number, submission: Submission, outcome: Outcome): StatusItem => {
  const { reports = [], requestId } = submission
  const base = { RequestId: requestId, Success: false, IsActionable: false, Error: null, QrData: null }
  const words = (error: Schema.Json) => Report.filled(error, () => subjectOf(world, submission))
  switch (outcome._tag) {
    case "Pending": {
      const working = reports.find((report) => report._tag === "Working")
      const said = working && { IsActionable: working.actionable, Error: words(working.error) }
      return { ...base, ...said, FiscalInvoicePdf: working?.pdf ?? null }
    }
    case "Failed":
      return { ...base, IsActionable: outcome.actionable, Error: words(outcome.error), FiscalInvoicePdf: null }
    case "Fiscalised":
      return Report.ofReceipt(
        { ...base, Success: true, QrData: outcome.receipt.qrData, FiscalInvoicePdf: outcome.receipt.pdf },
        reports,
        { age: now - outcome.at, before: () => proofBefore(world, outcome.receipt), words }
      )
  }
}

const unknown = (id: string, { actionable, error }: SandboxConfig["unknownItem"]): StatusItem => ({
  RequestId: id,
  Success: false,
  IsActionable: actionable,
  Error: Report.filled(error, () => ({ requestId: id, number: "", other: "", description: "" })),
  QrData: null,
  FiscalInvoicePdf: null
})

/** Under `error-item`, `/status` does not know the request yet. */
const isTooNew = ({ acceptedAt, readyAt }: Submission, now: number): boolean => now < (acceptedAt + readyAt) / 2

interface Unknowns {
  readonly ids: UnknownIds
  readonly item: SandboxConfig["unknownItem"]
}

const omitted: Unknowns = { ids: "omit", item: { error: null, actionable: null } }

/**
 * Returns one item per id, in the order asked. An id that the account does not have, or that was
 * processed more than 7 days before `now`, is left out or gets an error item (STAT-9). If more than
 * 100 ids are asked, every second one is left out: a repeatable form of the inconsistent result
 * that the interface warns of.
 */
export const answer = (
  world: WorldState,
  now: number,
  account: SandboxAccount,
  ids: ReadonlyArray<string>,
  unknowns: Unknowns = omitted
): ReadonlyArray<StatusItem> => {
  const asked = ids.length > idsPerCall ? ids.filter((_, index) => index % 2 === 0) : ids
  return asked.flatMap((id) => {
    const submission = world.submissions.get(id)
    const isItem = unknowns.ids === "error-item"
    const none = isItem ? [unknown(id, unknowns.item)] : []
    if (submission === undefined || submission.account !== account.name) return none
    const outcome = currentOutcome(world, submission)
    const own = [item(world, now, submission, outcome)]
    if (outcome._tag === "Pending") return isItem && isTooNew(submission, now) ? none : own
    return now - outcome.at > window ? none : own
  })
}
