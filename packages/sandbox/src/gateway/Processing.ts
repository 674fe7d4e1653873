/**
 * Without webhooks nothing runs in the background: the next caller that reads the world first
 * processes everything due, in the order of acceptance (ORD-1). So a clock that jumps changes
 * nothing but the time.
 */
import { createHash } from "node:crypto"
import * as FiscalDay from "../day/FiscalDay.ts"
import type { IssuedReceipt } from "../day/IssuedReceipt.ts"
import type { Receipt } from "../receipt/Receipt.ts"
import type { ColorContext, ReceiptMark } from "../receipt/Rule.ts"
import { taxGroups } from "../receipt/color.ts"
import * as DeviceView from "./DeviceView.ts"
import { judge } from "./Judgment.ts"
import type { Outcome, Submission } from "./Submission.ts"
import type { Device, WorldState } from "./World.ts"

const deviceRefusal = (device: Device): string | undefined => {
  if (!device.config.isActive) return "DEV01: the device is not active"
  if (!device.config.isSwitchedOn) return "DEV01: the device is switched off"
  if (device.config.taxpayerStatus === "inactive") return "DEV05: the taxpayer is not active"
  return undefined
}

const verificationCode = (device: Device, submission: Submission, receiptNumber: number): string =>
  createHash("sha256")
    .update(`${device.id}/${device.days.number}/${receiptNumber}/${submission.requestId}`)
    .digest("hex")
    .slice(0, 16)
    .toUpperCase()
    .replace(/(.{4})(?=.)/g, "$1-")

const issue = (
  world: WorldState,
  device: Device,
  submission: Submission,
  receipt: Receipt,
  context: ColorContext,
  marks: ReadonlyArray<ReceiptMark>
): IssuedReceipt => {
  const invoiceNumber = ++device.lastReceiptNumber
  const code = verificationCode(device, submission, invoiceNumber)
  const issued: IssuedReceipt = {
    requestId: submission.requestId,
    account: submission.account,
    deviceId: device.id,
    kind: receipt.kind,
    documentId: receipt.id,
    documentNumber: receipt.number,
    originalInvoiceId: receipt.originalInvoiceId,
    epochSeconds: receipt.date.epochSeconds,
    issuedAt: submission.readyAt,
    currency: receipt.currency,
    // Both published connectors omit the payment method; the counters need one.
    paymentMethod: receipt.paymentMethod ?? "Cash",
    total: receipt.total,
    groups: taxGroups(receipt, context),
    marks,
    qrData: {
      QrCodeUrl: `https://receipts.sandbox.invalid/${device.id}/${invoiceNumber}/${code.replaceAll("-", "")}`,
      VerificationCode: code,
      FiscalDay: device.days.number,
      DeviceId: device.id,
      InvoiceNumber: invoiceNumber
    },
    pdf: `${submission.requestId}.pdf`
  }
  FiscalDay.enter(device.days, issued)
  world.receipts.add(issued, device.config.tin)
  device.lastReceiptAt = Math.max(issued.epochSeconds, device.lastReceiptAt ?? -Infinity)
  return issued
}

const outcomeOf = (world: WorldState, device: Device, submission: Submission): Outcome => {
  const at = submission.readyAt
  const failed = (error: string, actionable: boolean): Outcome => ({ _tag: "Failed", at, error, actionable })
  if (submission.verdict._tag === "Pend") return submission.outcome
  if (submission.verdict._tag === "Reject") return failed(submission.verdict.error, submission.verdict.actionable)
  const refusal = deviceRefusal(device)
  if (refusal !== undefined) return failed(refusal, true)
  const account = world.accounts.find((each) => each.name === submission.account)
  if (account === undefined) return failed("the account no longer exists", false)
  const context = DeviceView.contextOf(world, at, account, device, submission.document)
  const judgment = judge(submission.document, DeviceView.codesOf(account, device), context)
  if (judgment._tag === "Failed") return failed(judgment.error, true)
  return {
    _tag: "Fiscalised",
    at,
    receipt: issue(world, device, submission, judgment.receipt, context, judgment.marks)
  }
}

/** Processes everything that is due at `now` (milliseconds since 1970). */
export const workOff = (world: WorldState, now: number): void => {
  for (const device of world.devices.values()) {
    let submission = device.queue[0]
    while (submission !== undefined && submission.readyAt <= now) {
      device.queue.shift()
      world.revision++
      submission.outcome = outcomeOf(world, device, submission)
      if (submission.outcome._tag !== "Pending") world.outbox?.push(submission)
      submission = device.queue[0]
    }
  }
}
