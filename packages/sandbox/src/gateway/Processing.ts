/**
 * What happens to accepted requests once they are due. Nothing runs in the background: whoever looks at the world first lets the
 * devices work off what is due, in the order of acceptance (ORD-1), so that a clock that jumps changes nothing but the time.
 */
import * as Result from "effect/Result"
import { createHash } from "node:crypto"
import type { IssuedReceipt } from "../day/IssuedReceipt.ts"
import * as Receipt from "../receipt/Receipt.ts"
import type { Outcome, Submission } from "./Submission.ts"
import type { Account, Device, WorldState } from "./World.ts"

const codesOf = (account: Account, device: Device): Receipt.Codes => ({
  taxIdOf: (code) => account.taxMappings.values().find((mapping) => mapping.TaxCode === code)?.DestinationTaxId,
  currencyOf: (code) =>
    account.currencyMappings.values().find((mapping) => mapping.SourceCurrency === code)?.DestinationCurrency,
  supportedCurrencies: device.config.supportedCurrencies
})

const deviceRefusal = (device: Device): string | undefined => {
  if (!device.config.isActive) return "DEV01: the device is not active"
  if (!device.config.isSwitchedOn) return "DEV01: the device is switched off"
  if (device.config.taxpayerStatus === "inactive") return "DEV05: the taxpayer is not active"
  return undefined
}

const verificationCode = (device: Device, submission: Submission, receiptNumber: number): string =>
  createHash("sha256")
    .update(`${device.id}/${device.fiscalDay}/${receiptNumber}/${submission.requestId}`)
    .digest("hex")
    .slice(0, 16)
    .toUpperCase()
    .replace(/(.{4})(?=.)/g, "$1-")

const issue = (device: Device, submission: Submission): IssuedReceipt => {
  const invoiceNumber = ++device.lastReceiptNumber
  const code = verificationCode(device, submission, invoiceNumber)
  return {
    requestId: submission.requestId,
    account: submission.account,
    deviceId: device.id,
    kind: submission.document.kind,
    documentId: submission.document.id,
    documentNumber: submission.document.number,
    qrData: {
      QrCodeUrl: `https://receipts.sandbox.invalid/${device.id}/${invoiceNumber}/${code.replaceAll("-", "")}`,
      VerificationCode: code,
      FiscalDay: device.fiscalDay,
      DeviceId: device.id,
      InvoiceNumber: invoiceNumber
    },
    pdf: `${submission.requestId}.pdf`
  }
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
  const receipt = Receipt.fromDocument(submission.document, codesOf(account, device))
  if (Result.isFailure(receipt)) return failed(receipt.failure, true)
  const issued = issue(device, submission)
  world.receipts.push(issued)
  return { _tag: "Fiscalised", at, receipt: issued }
}

/** Works off everything that is due at `now` (milliseconds since 1970). */
export const workOff = (world: WorldState, now: number): void => {
  for (const device of world.devices.values()) {
    let submission = device.queue[0]
    while (submission !== undefined && submission.readyAt <= now) {
      device.queue.shift()
      submission.outcome = outcomeOf(world, device, submission)
      submission = device.queue[0]
    }
  }
}

/** The outcome of a request, following one that reports another's receipt. */
export const currentOutcome = (world: WorldState, submission: Submission): Outcome => {
  const original = submission.sharesReceiptOf === null ? undefined : world.submissions.get(submission.sharesReceiptOf)
  return original === undefined ? submission.outcome : currentOutcome(world, original)
}
