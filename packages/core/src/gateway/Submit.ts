/** Submits an invoice or a credit note: once, over the exact bytes, and with an honest answer where the outcome is not known. */
import { Effect, Result } from "effect"
import type { FiscalDocument } from "../document/FiscalDocument.ts"
import { RequestId } from "../document/Identifiers.ts"
import * as WireCodec from "../document/WireCodec.ts"
import * as Answer from "./Answer.ts"
import type { AssumptionSwitches } from "./AssumptionSwitches.ts"
import type { Calls } from "./Calls.ts"
import { type GatewayError, UnknownOutcome } from "./GatewayError.ts"

export interface SubmitOperations {
  /** `POST /invoice` or `POST /creditnote`, once: never retried, never passed through a retrying client. */
  submit(document: FiscalDocument): Effect.Effect<RequestId, GatewayError>
}

// Printable ASCII without spaces: no HTML, object, array or sentence passes for an id that would be polled in vain.
const idForm = /^(?![<{["])[\x21-\x7e]{1,200}$/
const noId = /^(null|true|false|undefined)$/i

/** Reads the text/plain answer of a submission: white space and one pair of double quotes taken off (STAT-6); null where it is no request id. */
export const requestId = (body: string, quotes: AssumptionSwitches["STAT-6"]): RequestId | null => {
  const trimmed = body.trim()
  const text = trimmed.replace(/^"(.*)"$/s, "$1").trim()
  if (!idForm.test(text) || noId.test(text)) return null
  return RequestId.make(quotes === "unquoted" ? text : trimmed)
}

export const operations = (calls: Calls): SubmitOperations => ({
  submit: (document) =>
    Effect.suspend(() => {
      const operation = document.kind === "invoice" ? "submitInvoice" : "submitCreditNote"
      return calls.write({ operation, body: WireCodec.encode(document) }, (answer) => {
        const id = requestId(Answer.text(answer), calls.config.assumptions["STAT-6"])
        if (id !== null) return Result.succeed(id)
        const body = Answer.excerpt(answer) || "an empty body"
        return Result.fail(
          new UnknownOutcome({ status: answer.status, problem: `answered, but not with a request id: ${body}` })
        )
      })
    })
})
