import { Effect, Result } from "effect"
import * as Answer from "../exchange/Answer.ts"
import { type Calls, fitting, type Interpret } from "../exchange/Calls.ts"
import { GatewayError, MalformedAnswer, NotFound } from "../contract/GatewayError.ts"
import { operations as rows } from "../contract/Operation.ts"

export interface PdfOperations {
  /** Calls `GET /download/{file}`. The name is encoded as one path segment (OP-1, STAT-4). */
  downloadPdf(fiscalInvoicePdf: string): Effect.Effect<Uint8Array, GatewayError>
}

const signature = [0x25, 0x50, 0x44, 0x46]

export const answer: Interpret<Uint8Array> = (answer) =>
  signature.every((byte, index) => answer.body[index] === byte)
    ? Result.succeed(fitting(answer.body))
    : Result.fail(new MalformedAnswer({ text: "expected a PDF", excerpt: Answer.excerpt(answer) }))

// Encoding leaves dots unchanged, and a URL reads a segment of dots as a step up its path.
const isSegment = (name: string) => name !== "" && !/^\.{1,2}$/.test(name) && name.isWellFormed()

export const operations = (calls: Calls): PdfOperations => ({
  downloadPdf: (fiscalInvoicePdf) =>
    isSegment(fiscalInvoicePdf)
      ? calls.read({ operation: "downloadPdf", segments: { file: fiscalInvoicePdf } }, answer)
      : Effect.fail(new GatewayError({ operation: rows.downloadPdf.name, reason: new NotFound({ what: "pdf" }) }))
})
