/**
 * Faults on demand: what goes wrong, and for which calls.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { deliveryFaults } from "../webhook/DeliveryFault.ts"

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

/** The answer, or the work, waits so many milliseconds. A client that gives up during `before` was never served. */
export const Latency = Schema.Struct({
  kind: Schema.Literal("latency"),
  millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600_000 })),
  stage: Stage,
  ...Trigger
})

/** An error status with a JSON error body; `retryAfter` is the header's text: seconds or an HTTP date. */
export const ErrorAnswer = Schema.Struct({
  kind: Schema.Literal("error"),
  status: Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 599 })),
  retryAfter: Schema.optionalKey(Schema.String),
  stage: Stage,
  ...Trigger
})

const Status = Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })).pipe(
  Schema.withDecodingDefaultKey(Effect.succeed(200))
)

/** An HTML page, as a proxy or a login wall answers. */
export const HtmlAnswer = Schema.Struct({ kind: Schema.Literal("html"), status: Status, stage: Stage, ...Trigger })

/** No body at all. */
export const EmptyAnswer = Schema.Struct({ kind: Schema.Literal("empty"), status: Status, stage: Stage, ...Trigger })

/** Exactly this body, JSON unless `contentType` says otherwise, with these headers besides: a redirect, for instance. */
export const FixedAnswer = Schema.Struct({
  kind: Schema.Literal("answer"),
  status: Status,
  body: Schema.String,
  contentType: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("application/json"))),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  stage: Stage,
  ...Trigger
})

/** The answer's content type is another; text/html by default. */
export const ContentType = Schema.Struct({
  kind: Schema.Literal("content-type"),
  contentType: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("text/html"))),
  ...Trigger
})

/** The answer's body takes so many milliseconds to arrive, in ten pieces. */
export const SlowBody = Schema.Struct({
  kind: Schema.Literal("slow-body"),
  millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600_000 })),
  ...Trigger
})

/**
 * - `truncated-body`: the connection is cut half-way through the body.
 * - `quoted-id`: the request id comes in double quotes (STAT-6).
 * - `numbers-as-strings`: every number of a JSON answer is a string (NUM-1).
 * - `unknown-fields`: every object of a JSON answer has a field nobody knows.
 * - `items-out-of-order`, `items-repeated`: status items in reverse, or each twice (STAT-5).
 * - `items-missing`: status items are left out: those of `documents`, or all.
 * - `items-unknown`: an item comes first that nobody asked for, and that says Success.
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

/** One fault: its kind with the kind's own fields, and its trigger. */
export const FaultSpec = Schema.Union(kinds).annotate({
  message: `kind: expected one of ${kinds.map(({ fields }) => fields.kind.literal).join(", ")}`
})
export type FaultSpec = typeof FaultSpec.Type

/** A fault in force: `met` counts the calls it concerned, `struck` those it hit. */
export const StandingFault = Schema.Struct({
  id: Schema.String,
  spec: FaultSpec,
  met: Schema.Int,
  struck: Schema.Int
}).annotate({ identifier: "StandingFault" })
export type StandingFault = typeof StandingFault.Type

const submissions: ReadonlyArray<Operation> = ["submitInvoice", "submitCreditNote"]

/** What a fault may strike: a call of an operation, a delivery of ours, or one try of it. */
export type Struck = Operation | "delivery" | "delivery-try"

/** What a kind of fault makes sense for; undefined: every operation. */
export const natural = (kind: FaultSpec["kind"]): ReadonlyArray<Struck> | undefined => {
  switch (kind) {
    case "reject":
    case "pend":
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
