/**
 * Submits an invoice or a credit note: once, with exact bytes, and with an error that says so if
 * the outcome is unknown.
 */
import { Effect, Result } from "effect"
import type { FiscalDocument } from "../../document/FiscalDocument.ts"
import { RequestId } from "../../document/Identifiers.ts"
import * as WireCodec from "../../document/WireCodec.ts"
import * as Answer from "../exchange/Answer.ts"
import type { AssumptionSwitches } from "../contract/AssumptionSwitches.ts"
import { type Calls, fitting } from "../exchange/Calls.ts"
import { type GatewayError, UnknownOutcome } from "../contract/GatewayError.ts"

export interface SubmitOperations {
  /**
   * Calls `POST /invoice` or `POST /creditnote`, once. Never retried, never passed through a client
   * that retries.
   */
  submit(document: FiscalDocument): Effect.Effect<RequestId, GatewayError>
}

// HTML, an object, an array, a sentence or a word must not pass for a request id, which would be
// polled in vain.
const idForm = /^(?![<{["])[\x21-\x7e]{1,200}$/
const noId = /^(null|true|false|undefined)$/i

/**
 * Reads the text/plain answer of a submission, without surrounding white space and one pair of
 * double quotes (STAT-6). Returns null unless the text is a request id: 1 to 200 printable ASCII
 * characters without white space, not beginning with `<`, `{`, `[` or `"`, with at least one digit
 * (STAT-8).
 */
export const requestId = (
  body: string,
  switches: Partial<Pick<AssumptionSwitches, "STAT-6" | "STAT-8">>
): RequestId | null => {
  const trimmed = body.trim()
  const text = trimmed.replace(/^"(.*)"$/s, "$1").trim()
  if (!idForm.test(text) || noId.test(text)) return null
  if (switches["STAT-8"] !== "any" && !/\d/.test(text)) return null
  return RequestId.make(switches["STAT-6"] === "verbatim" ? trimmed : text)
}

export const operations = (calls: Calls): SubmitOperations => ({
  submit: (document) =>
    Effect.suspend(() => {
      const operation = document.kind === "invoice" ? "submitInvoice" : "submitCreditNote"
      return calls.write({ operation, body: WireCodec.encode(document) }, (answer) => {
        const id = requestId(Answer.text(answer), calls.config.assumptions)
        // An id that contains a secret is redacted, and would be requested under another id.
        if (id !== null && answer.redaction.value(id) === id) return Result.succeed(fitting(id))
        const problem = `no request id but ${Answer.shown(answer)}`
        return Result.fail(new UnknownOutcome({ status: answer.status, text: problem }))
      })
    })
})
