/**
 * Faults on demand: what goes wrong, and for which calls.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The operations of the gateway, by the names faults and the call log use. */
export const Operation = Schema.Literals([
  "profile",
  "fiscalDevice",
  "subscription",
  "submitInvoice",
  "submitCreditNote",
  "status",
  "downloadPdf",
  "zReports",
  "zReport",
  "zReportPdf",
  "taxMappings",
  "taxMapping",
  "addTaxMapping",
  "updateTaxMapping",
  "deleteTaxMapping",
  "supportedCurrencies",
  "currencyMappings",
  "currencyMapping",
  "addCurrencyMapping",
  "updateCurrencyMapping",
  "deleteCurrencyMapping",
  "test"
])
export type Operation = typeof Operation.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/**
 * Which calls a fault strikes. All given conditions must hold.
 * - `operations`: absent, every operation the kind makes sense for.
 * - `documents`: InvoiceId or CreditNoteId, or the document's number, of a submission, a status call or a PDF download.
 * - `accounts`: names of accounts.
 * - `skip`: calls to let pass first; `times`: calls to strike, then the fault is spent. Absent: all.
 * - `probability`: share of the matching calls struck, 0 to 1, drawn from `seed` (default 1).
 */
export const Trigger = {
  operations: Schema.optionalKey(Schema.Array(Operation)),
  documents: Schema.optionalKey(Schema.Array(Schema.String)),
  accounts: Schema.optionalKey(Schema.Array(Schema.String)),
  skip: Schema.optionalKey(Count),
  times: Schema.optionalKey(Count),
  probability: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  seed: Schema.optionalKey(Schema.Int)
}

/** `before`: the request does nothing. `after`: it is fully processed, only its answer suffers. */
const Stage = Schema.Literals(["before", "after"]).pipe(
  Schema.withDecodingDefaultKey(Effect.succeed("before" as const))
)

/** The socket is destroyed without an answer. */
export const Drop = Schema.Struct({ kind: Schema.Literal("drop"), stage: Stage, ...Trigger })

/** The document is taken, and its processing fails with `error`; `actionable` is IsActionable (STAT-2). */
export const Reject = Schema.Struct({
  kind: Schema.Literal("reject"),
  error: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("Rejected by the sandbox on request"))),
  actionable: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))),
  ...Trigger
})

/** The document is taken and stays pending for ever. */
export const Pend = Schema.Struct({ kind: Schema.Literal("pend"), ...Trigger })

/** One fault: its kind with the kind's own fields, and its trigger. */
export const FaultSpec = Schema.Union([Drop, Reject, Pend])
export type FaultSpec = typeof FaultSpec.Type

const submissions: ReadonlyArray<Operation> = ["submitInvoice", "submitCreditNote"]

/** The operations a kind of fault makes sense for; undefined: all of them. */
export const natural = (kind: FaultSpec["kind"]): ReadonlyArray<Operation> | undefined => {
  switch (kind) {
    case "reject":
    case "pend":
      return submissions
    default:
      return undefined
  }
}
