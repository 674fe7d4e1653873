import * as Schema from "effect/Schema"
import { deliveryFaults } from "../webhook/DeliveryFault.ts"
import { byDefault } from "../Default.ts"

/** Operations of the gateway, under the names used by faults and the call log. */
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
 * Selects the calls that a fault strikes. All given conditions must hold.
 * - `operations`: default: every operation that the kind applies to.
 * - `documents`: InvoiceId or CreditNoteId, or the document's number, of a submission, a status
 *   call or a PDF download.
 * - `accounts`: names of accounts.
 * - `skip`: number of matching calls to let pass first.
 * - `times`: number of calls to strike, after which the fault is spent. Default: all.
 * - `probability`: share of the matching calls to strike, 0 to 1, drawn from `seed` (default 1).
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

/**
 * `before`: the request has no effect. `after`: the request is fully processed, only its answer is
 * affected.
 */
const Stage = Schema.Literals(["before", "after"]).pipe(byDefault("before"))

/** Destroys the socket without an answer. */
export const Drop = Schema.Struct({ kind: Schema.Literal("drop"), stage: Stage, ...Trigger })

/**
 * Takes the document, then fails its processing with `error`; `actionable` is IsActionable
 * (STAT-2). Without the code of a receipt rule in `error`, a client cannot know that it is a
 * result.
 */
export const Reject = Schema.Struct({
  kind: Schema.Literal("reject"),
  error: Schema.String.pipe(byDefault("RCPT026: rejected by the sandbox on request")),
  actionable: Schema.Boolean.pipe(byDefault(true)),
  ...Trigger
})

const actionable = Schema.NullOr(Schema.Boolean).pipe(byDefault(null))

/** Longest time for which a document is worked on, or a proof is missing: a week. */
const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 * 86_400_000 }))

/**
 * Takes the document and works on it for so many milliseconds more. Meanwhile `/status` reports a
 * failure with this `error`: any JSON, in which `{id}` is the request id, `{number}` the document's
 * number, `{other}` the number of the account's last other document, and `{description}` that of
 * the first line. `pdf` is the name of a file beside the failure.
 */
export const Working = Schema.Struct({
  kind: Schema.Literal("working"),
  error: Schema.Json,
  actionable,
  pdf: Schema.optionalKey(Schema.String),
  millis: Millis,
  ...Trigger
})

/**
 * Takes the document and processes it; a receipt is reported as a failure with this `error`, beside
 * its QrData: an object, or JSON in a text.
 */
export const Contradiction = Schema.Struct({
  kind: Schema.Literal("contradiction"),
  error: Schema.Json,
  actionable,
  qrData: Schema.Literals(["object", "text"]).pipe(byDefault("object")),
  ...Trigger
})

/** Reports the receipt of the document without QrData and PDF for so many milliseconds. */
export const ProofMissing = Schema.Struct({ kind: Schema.Literal("proof-missing"), millis: Millis, ...Trigger })

/** Reports the receipt of the document with the QrData of the device's receipt before. */
export const ProofRepeated = Schema.Struct({ kind: Schema.Literal("proof-repeated"), ...Trigger })

/** Takes the document and keeps it pending for ever. */
export const Pend = Schema.Struct({ kind: Schema.Literal("pend"), ...Trigger })

/**
 * Delays the answer (`after`) or the work (`before`) by a number of milliseconds. A request whose
 * client gives up during `before` has no effect.
 */
export const Latency = Schema.Struct({
  kind: Schema.Literal("latency"),
  millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600_000 })),
  stage: Stage,
  ...Trigger
})

/**
 * Answers with an error status and a JSON error body. `retryAfter` is the header's text: seconds or
 * an HTTP date.
 */
export const ErrorAnswer = Schema.Struct({
  kind: Schema.Literal("error"),
  status: Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 599 })),
  retryAfter: Schema.optionalKey(Schema.String),
  stage: Stage,
  ...Trigger
})

const Status = Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })).pipe(byDefault(200))

/** Answers with an HTML page, as a proxy or a login page does. */
export const HtmlAnswer = Schema.Struct({ kind: Schema.Literal("html"), status: Status, stage: Stage, ...Trigger })

/** Answers without a body. */
export const EmptyAnswer = Schema.Struct({ kind: Schema.Literal("empty"), status: Status, stage: Stage, ...Trigger })

/**
 * Answers with exactly this body and these additional headers, for example a redirect. JSON unless
 * `contentType` states otherwise.
 */
export const FixedAnswer = Schema.Struct({
  kind: Schema.Literal("answer"),
  status: Status,
  body: Schema.String,
  contentType: Schema.String.pipe(byDefault("application/json")),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  stage: Stage,
  ...Trigger
})

/** Changes the answer's content type; text/html by default. */
export const ContentType = Schema.Struct({
  kind: Schema.Literal("content-type"),
  contentType: Schema.String.pipe(byDefault("text/html")),
  ...Trigger
})

/** Sends the answer's body in ten pieces over a number of milliseconds. */
export const SlowBody = Schema.Struct({
  kind: Schema.Literal("slow-body"),
  millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600_000 })),
  ...Trigger
})

/**
 * Faults that change the answer's body.
 * - `truncated-body`: the connection is cut half-way through the body.
 * - `quoted-id`: the request id is in double quotes (STAT-6).
 * - `numbers-as-strings`: every number of a JSON answer is a string (NUM-1).
 * - `unknown-fields`: every object of a JSON answer has an unknown field.
 * - `items-out-of-order`: status items are in reverse order (STAT-5).
 * - `items-repeated`: every status item appears twice (STAT-5).
 * - `items-missing`: status items are left out: the items of `documents`, or all.
 * - `items-unknown`: the first item is about a request that the client did not ask for, with
 *   Success true.
 */
export const mangled = Schema.Literals([
  "truncated-body",
  "quoted-id",
  "numbers-as-strings",
  "unknown-fields",
  "items-out-of-order",
  "items-repeated",
  "items-missing",
  "items-unknown"
]).members.map((kind) => Schema.Struct({ kind, ...Trigger }))

const kinds = [
  Drop,
  Reject,
  Pend,
  Working,
  Contradiction,
  ProofMissing,
  ProofRepeated,
  Latency,
  ErrorAnswer,
  HtmlAnswer,
  EmptyAnswer,
  FixedAnswer,
  ContentType,
  SlowBody,
  ...mangled,
  ...deliveryFaults(Trigger)
] as const

/** One fault: its kind, the fields of the kind, and its trigger. */
export const FaultSpec = Schema.Union(kinds).annotate({
  message: `kind: expected one of ${kinds.map(({ fields }) => fields.kind.literal).join(", ")}`
})
export type FaultSpec = typeof FaultSpec.Type

/**
 * Fault in force. `met` counts the calls that matched the trigger, `struck` the calls that were
 * hit.
 */
export const StandingFault = Schema.Struct({
  id: Schema.String,
  spec: FaultSpec,
  met: Schema.Int,
  struck: Schema.Int
}).annotate({ identifier: "StandingFault" })
export type StandingFault = typeof StandingFault.Type

const submissions: ReadonlyArray<Operation> = ["submitInvoice", "submitCreditNote"]

/**
 * Target of a fault: a call of an operation, a delivery of the sandbox, or one try of a delivery.
 */
export type Struck = Operation | "delivery" | "delivery-try"

/** Returns the targets that a kind of fault applies to; undefined for every operation. */
export const natural = (kind: FaultSpec["kind"]): ReadonlyArray<Struck> | undefined => {
  switch (kind) {
    case "reject":
    case "pend":
    case "working":
    case "contradiction":
    case "proof-missing":
    case "proof-repeated":
    case "quoted-id":
    case "delivery-early":
      return submissions
    case "items-out-of-order":
    case "items-repeated":
    case "items-missing":
    case "items-unknown":
      return ["status"]
    case "delivery-twice":
    case "delivery-late":
    case "delivery-out-of-order":
    case "delivery-empty":
      return ["delivery"]
    case "delivery-lost":
    case "delivery-corrupted":
    case "delivery-badly-signed":
      return ["delivery-try"]
    default:
      return undefined
  }
}
