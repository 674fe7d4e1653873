/**
 * Results of our client for every fault of the sandbox: a submission, a read, the same read with
 * retries, and a status call.
 */
import * as WireCodec from "../../packages/core/src/document/WireCodec.ts"
import { isCertainlyNotProcessed } from "../../packages/core/src/gateway/contract/CertainlyNotProcessed.ts"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import type { GatewayError } from "../../packages/core/src/gateway/contract/GatewayError.ts"
import type { StatusItem } from "../../packages/core/src/gateway/operation/Status.ts"
import * as UndiciHttpClient from "../../packages/core/src/node/UndiciHttpClient.ts"
import { FaultSpec } from "@fiscal-connector/sandbox/fault/Fault"
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { folderWith, gatewayFor, key, secret } from "../../packages/cli/test/RunningConnector.ts"
import * as Transmission from "../../packages/core/src/gateway/internal/SubmitCapability.ts"

type Fault = typeof FaultSpec.Encoded

/**
 * Expected results of a fault: the reason's tag, or the answer: `id`, `answer`, the outcomes of the
 * status. `taken`: number of documents that the sandbox took. `again`: the read with the client's
 * own retries, for a fault that strikes once.
 */
interface Row {
  readonly fault: Fault
  readonly submit: string
  readonly taken: 0 | 1
  readonly read: string
  readonly again: string
  readonly status: string
}

const row = (fault: Fault, submit: string, taken: 0 | 1, read: string, again: string, status: string): Row => ({
  fault,
  submit,
  taken,
  read,
  again,
  status
})

/**
 * Returns the row of a fault that makes the outcome of a write unknown and a read retryable,
 * without other effects.
 */
const cut = (fault: Fault, taken: 0 | 1) => row(fault, "UnknownOutcome", taken, "Unavailable", "answer", "Unavailable")
/** Returns the row of a fault that a client should not notice. */
const none = (fault: Fault, status = "Fiscalised") => row(fault, "id", 1, "answer", "answer", status)

const longer = 60_000

const matrix: ReadonlyArray<Row> = [
  cut({ kind: "drop", stage: "before" }, 0),
  cut({ kind: "drop", stage: "after" }, 1),
  cut({ kind: "latency", millis: longer, stage: "before" }, 0),
  cut({ kind: "latency", millis: longer, stage: "after" }, 1),
  none({ kind: "latency", millis: 20 }),
  row({ kind: "error", status: 302 }, "UnknownOutcome", 0, "Unavailable", "Unavailable", "Unavailable"),
  row({ kind: "error", status: 400 }, "Declined", 0, "Declined", "Declined", "Declined"),
  row(
    { kind: "error", status: 401 },
    "CredentialsRefused",
    0,
    "CredentialsRefused",
    "CredentialsRefused",
    "CredentialsRefused"
  ),
  row(
    { kind: "error", status: 403 },
    "CredentialsRefused",
    0,
    "CredentialsRefused",
    "CredentialsRefused",
    "CredentialsRefused"
  ),
  row({ kind: "error", status: 404 }, "NotFound", 0, "NotFound", "NotFound", "NotFound"),
  row({ kind: "error", status: 405 }, "Misdirected", 0, "Misdirected", "Misdirected", "Misdirected"),
  cut({ kind: "error", status: 408 }, 0),
  row({ kind: "error", status: 409 }, "UnknownOutcome", 0, "Unavailable", "Unavailable", "Unavailable"),
  row({ kind: "error", status: 413 }, "Declined", 0, "Declined", "Declined", "Declined"),
  row({ kind: "error", status: 422 }, "Declined", 0, "Declined", "Declined", "Declined"),
  row({ kind: "error", status: 429, retryAfter: "0" }, "Limited", 0, "Limited", "answer", "Limited"),
  cut({ kind: "error", status: 500 }, 0),
  cut({ kind: "error", status: 500, stage: "after" }, 1),
  cut({ kind: "error", status: 503, retryAfter: "0" }, 0),
  row({ kind: "html" }, "UnknownOutcome", 0, "MalformedAnswer", "MalformedAnswer", "MalformedAnswer"),
  row({ kind: "html", stage: "after" }, "UnknownOutcome", 1, "MalformedAnswer", "MalformedAnswer", "MalformedAnswer"),
  cut({ kind: "html", status: 502 }, 0),
  row({ kind: "empty" }, "UnknownOutcome", 0, "MalformedAnswer", "MalformedAnswer", "MalformedAnswer"),
  row({ kind: "empty", stage: "after" }, "UnknownOutcome", 1, "MalformedAnswer", "MalformedAnswer", "MalformedAnswer"),
  cut({ kind: "empty", status: 504 }, 0),
  row(
    { kind: "answer", body: `{"ok":true}` },
    "UnknownOutcome",
    0,
    // No field of a profile decides anything.
    "answer",
    "answer",
    "MalformedAnswer"
  ),
  cut({ kind: "truncated-body" }, 1),
  cut({ kind: "slow-body", millis: longer }, 1),
  none({ kind: "slow-body", millis: 20 }),
  none({ kind: "content-type" }),
  none({ kind: "quoted-id" }),
  none({ kind: "numbers-as-strings" }),
  none({ kind: "unknown-fields" }),
  none({ kind: "items-out-of-order" }),
  none({ kind: "items-repeated" }),
  none({ kind: "items-missing" }, "nothing"),
  none({ kind: "items-unknown" }),
  none({ kind: "reject", error: "RCPT026" }, "Rejected correctable"),
  none({ kind: "reject", error: "RCPT026", actionable: false }, "Rejected final"),
  none({ kind: "pend" }, "Pending"),
  none({ kind: "working", error: "Pending", millis: 60_000 }, "Rejected correctable"),
  none({ kind: "contradiction", error: "printing failed" }, "Contradictory"),
  none({ kind: "proof-missing", millis: 60_000 }, "Fiscalised"),
  none({ kind: "proof-repeated" }, "Fiscalised")
]

const line = {
  Description: "Solar lamp",
  UnitAmount: 1,
  TaxCode: "ZERO",
  ProductCode: "85131000",
  LineAmount: 1,
  DiscountAmount: null,
  Quantity: 1,
  CustomFields: null
}

const document = (number: number) => {
  const decoded = WireCodec.decode(
    "invoice",
    JSON.stringify({
      InvoiceId: `i-${number}`,
      InvoiceNumber: `INV-${number}`,
      Reference: null,
      BuyerContact: null,
      IsDiscounted: false,
      IsTaxInclusive: true,
      Date: `2026-02-03T08:00:0${number}+02:00`,
      LineItems: [line],
      SubTotal: 1,
      TotalTax: 0,
      Total: 1,
      CurrencyCode: "USD",
      IsRetry: false
    })
  )
  return decoded._tag === "Success" ? decoded.success : assert.fail(decoded.failure)
}

const outcome = (item: StatusItem | undefined): string =>
  item === undefined ? "nothing" : item._tag === "Rejected" ? `Rejected ${item.nature}` : item._tag

/** Kinds of faults of a submission that show in its status. */
const ofOutcome: ReadonlySet<Fault["kind"]> = new Set([
  "reject",
  "pend",
  "working",
  "contradiction",
  "proof-missing",
  "proof-repeated"
])

/** Returns true for faults bound to submissions or status calls: they strike only there. */
const isBound = ({ kind }: Fault) => ofOutcome.has(kind) || kind === "quoted-id" || kind.startsWith("items-")

/**
 * Returns true for faults of deliveries, which do not affect a client's answers. The sandbox's
 * tests and the imports by webhook cover these faults.
 */
const isOfDeliveries = (kind: string) => kind.startsWith("delivery-")

describe("the client's outcome for", () => {
  it("every kind of fault: each has a row", () =>
    assert.sameMembers(
      [...new Set(matrix.map(({ fault }) => fault.kind))],
      FaultSpec.members.map(({ fields }): string => fields.kind.literal).filter((kind) => !isOfDeliveries(kind))
    ))

  for (const { again, fault, read, status, submit, taken } of matrix) {
    it.live(JSON.stringify(fault), function* () {
      const sandbox = yield* gatewayFor(yield* folderWith(), {
        gateway: { processingDelayMillis: 0, startAt: "2026-02-03T12:00:00Z" }
      })
      // The time limit is shortened only for a fault that never ends.
      const isEndless = "millis" in fault && fault.millis === longer
      const connect = (times: number) =>
        Gateway.make({
          account: "main",
          baseUrl: sandbox.url,
          application: "test",
          station: "test",
          apiKey: Redacted.make(key),
          secret: Redacted.make(secret),
          ...(isEndless && { timeouts: { write: "2 seconds", read: "2 seconds" } }),
          retries: { times, base: "1 millis", longest: "2 millis" }
        }).pipe(Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make()))
      const once = yield* connect(0)
      const send = yield* Transmission.of(once)
      const repeating = yield* connect(2)
      const under = <A, E>(call: Effect.Effect<A, E>, operations: FaultSpec["operations"], times?: number) =>
        Effect.gen(function* () {
          yield* sandbox.control.addFault({
            ...fault,
            ...(operations !== undefined && !isBound(fault) && { operations }),
            ...(times !== undefined && { times })
          })
          const result = yield* Effect.result(call)
          yield* sandbox.control.clearFaults
          return result
        })
      const tagOf = ({ reason }: GatewayError) => reason._tag

      const submitted = yield* under(send(document(1)), ["submitInvoice"])
      assert.strictEqual(submitted._tag === "Success" ? "id" : tagOf(submitted.failure), submit, "submit")
      const accepted = yield* sandbox.control.accepted
      assert.strictEqual(accepted.length, taken, "taken")
      if (submitted._tag === "Failure" && isCertainlyNotProcessed(submitted.failure.reason)) {
        assert.deepStrictEqual(accepted, [], "certainly not processed")
      }

      const profile = yield* under(once.profile, ["profile"])
      assert.strictEqual(profile._tag === "Success" ? "answer" : tagOf(profile.failure), read, "read")
      const repeated = yield* under(repeating.profile, ["profile"], 1)
      assert.strictEqual(repeated._tag === "Success" ? "answer" : tagOf(repeated.failure), again, "read, repeated")

      // A fault of the submission shows in its status.
      const isOfSubmission = ofOutcome.has(fault.kind)
      const submit2 = send(document(2))
      const id = yield* Effect.fromResult(yield* isOfSubmission ? under(submit2, undefined) : Effect.result(submit2))
      const other = yield* send(document(3))
      const looked = yield* under(once.status([id, other]), ["status"])
      if (looked._tag === "Failure") return assert.strictEqual(tagOf(looked.failure), status, "status")
      assert.strictEqual(outcome(looked.success.find(({ requestId }) => requestId === id)), status, "status")
      assert.isTrue(
        looked.success.every(({ requestId }) => requestId === id || requestId === other),
        "only what was asked for"
      )
    })
  }
})
