/**
 * Declarations that jobs rely on: code that compiles, and code that must not. `pnpm types` is the
 * test; the assertions below only use the names.
 */
import { assert, it } from "@effect/vitest"
import type {
  ConnectOptions,
  Decision,
  DecimalString,
  DocumentInput,
  ErrorCode,
  FiscalConnector,
  HoldCause,
  InvoiceInput,
  LaneReport,
  LineInput,
  Result,
  Selection,
  Status,
  SyncReport
} from "@fiscal-connector/promise"
import type * as Lane from "../../core/src/submission/Lane.ts"
import type { HoldCause as CoreHoldCause } from "../../core/src/submission/PlannedDocument.ts"
import { FiscalConnectorError } from "@fiscal-connector/promise"

/** Returns true; does not compile if the two types differ. */
type Same<A, B> = [A, B] extends [B, A] ? true : false
const same = <A, B>(is: Same<A, B>): boolean => is

type Of<S extends Status> = Extract<Result, { readonly status: S }>

const invoice: InvoiceInput = {
  kind: "invoice",
  id: "1",
  number: "S-1",
  date: "2026-03-02",
  currency: "USD",
  taxMode: "inclusive",
  lines: [{ description: "Lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard" }]
}

// @ts-expect-error a decimal is a text: a number may have lost digits
const number: DecimalString = 9.99
// @ts-expect-error a kind of its own
const receipt: DocumentInput = { ...invoice, kind: "receipt" }
// @ts-expect-error only a credit note names an original
const withOriginal: DocumentInput = { ...invoice, original: { id: "1" } }
// @ts-expect-error there is no default store: it is what makes a second run send nothing twice
const withoutStore: ConnectOptions = { account: "shop", config: "accounts.json", book: {} }
// @ts-expect-error a decision is one of a few
const guess: Decision = "probably fiscalised"

it("a result is narrowed by its status, and only a fiscalised result has a proof", () => {
  assert.isTrue(same<Of<"fiscalised">["verificationCode"], string | null>(true))
  assert.isTrue(same<Exclude<Result, Of<"fiscalised">>["proof"], null>(true))
  assert.isTrue(same<Result["status"], Status>(true))
})

// @ts-expect-error a discount is a percent or an amount
const both: LineInput["discount"] = { percent: "10", amount: "1.00" }

declare const fiscal: FiscalConnector
/** Calls that must not compile, each with the error at the wrong field. */
export const wrong = () => [
  fiscal.sync([
    {
      ...invoice,
      // @ts-expect-error a number is a text, and this is the only line that the compiler reports
      number: 7
    }
  ]),
  fiscal.plan([
    {
      ...invoice,
      // @ts-expect-error a field of its own
      due: "2026-04-01"
    }
  ]),
  // @ts-expect-error documents are awaited first
  fiscal.sync(Promise.resolve([invoice]))
]

it("an error and a lane are narrowed by their codes", () => {
  assert.isTrue(same<Extract<FiscalConnectorError, { readonly code: "first_use" }>["firstUse"], string>(true))
  assert.isTrue(same<string extends LaneReport["code"] ? "open" : "closed", "closed">(true))
  assert.isTrue(same<LaneReport["code"], Lane.StopCause | Lane.LaneWait["for"] | "busy" | null>(true))
  assert.isTrue(same<HoldCause, CoreHoldCause>(true))
  assert.isTrue(same<HoldCause extends Selection["cause"] ? true : false, true>(true))
  assert.isUndefined(((error: FiscalConnectorError) => error.firstUse)(new FiscalConnectorError("pending", "")))
  assert.isDefined(both)
})

it("a job gets promises of plain values, and errors from a closed list", () => {
  assert.isTrue(same<Awaited<ReturnType<FiscalConnector["sync"]>>, SyncReport>(true))
  assert.isTrue(same<SyncReport["ok"], boolean>(true))
  assert.isTrue(same<string extends ErrorCode ? "open" : "closed", "closed">(true))
  assert.isDefined([number, receipt, withOriginal, withoutStore, guess])
})
