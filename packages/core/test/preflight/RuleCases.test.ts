import { assert, describe, it } from "../It.ts"
import { BigDecimal, DateTime, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { FiscalDocument } from "../../src/document/FiscalDocument.ts"
import * as Batch from "../../src/import/Batch.ts"
import * as Destination from "../../src/account/Destination.ts"
import * as ImportPlan from "../../src/import/ImportPlan.ts"
import * as SqliteStaging from "../../src/node/SqliteStaging.ts"
import { relaxable } from "../../src/mapping/BookEntry.ts"
import { check, checkCredit } from "../../src/preflight/check.ts"
import * as DeviceFacts from "../../src/preflight/DeviceFacts.ts"
import * as DeviceReadiness from "../../src/preflight/DeviceReadiness.ts"
import { receiptRules } from "../../src/finding/ReceiptRule.ts"
import { civilDateOf } from "../../src/translate/translate.ts"
import { circumstances, files, translatedOf } from "./RuleCase.ts"
import { original as originalOf } from "./SampleTranslated.ts"

type Circumstances = Effect.Success<ReturnType<typeof circumstances>>

const isInvoice = (document: FiscalDocument): document is FiscalDocument & { readonly kind: "invoice" } =>
  document.kind === "invoice"

/**
 * Checks the rules of one document, of the device, and of a note with its original, with the
 * figures exactly as given.
 */
const ofDocument = ({ before, book, device, document, now, source, supportedCurrencies }: Circumstances) => {
  const originalId = document.kind === "credit-note" ? document.payload.originalInvoiceId : null
  const original = before.filter(isInvoice).find(({ payload }) => payload.invoiceId === originalId)
  const translated = translatedOf(document, book, original?.payload.date ?? document.payload.date)
  const own = check(source, translated, { device: DeviceFacts.make(device, supportedCurrencies, now) })
  if (original === undefined) return own
  const day = civilDateOf(original.payload.date, book.zone)
  const credited = BigDecimal.sumAll(
    before
      .filter(
        ({ kind, payload }) =>
          kind === "credit-note" && "originalInvoiceId" in payload && payload.originalInvoiceId === originalId
      )
      .map(({ payload }) => payload.total)
  )
  const facts = {
    ...originalOf(translatedOf(original, book, original.payload.date), original.payload.invoiceNumber, day),
    credited
  }
  return [...own, ...checkCredit(source, translated, facts, civilDateOf(document.payload.date, book.zone))]
}

/** Codes of rules that need the ledger or the clock: numbers, originals, receipt dates. */
const ofBatchCodes = new Set(["RCPT013", "RCPT014", "RCPT015", "RCPT030", "RCPT031", "RCPT032"])

const inBatch = Effect.fnUntraced(function* ({
  book,
  device,
  ledger,
  now,
  source,
  store,
  supportedCurrencies
}: Circumstances) {
  yield* TestClock.setTime(DateTime.toEpochMillis(now))
  const options = {
    account: "main",
    book,
    originals: new Map(),
    device: DeviceFacts.make(device, supportedCurrencies, now)
  }
  const batch = yield* Batch.read(Stream.make(source), { known: store.known, ledger }, options)
  const destination = Destination.of("main", device, "test")
  const plan = yield* ImportPlan.make(batch, { book, destination }, store)
  const entries = yield* Stream.runCollect(plan.entries)
  return entries.flatMap((entry) => {
    if (entry._tag === "Known") return []
    const held = entry._tag === "Planned" ? entry.planned.heldCause : undefined
    return [
      ...entry.findings.map(({ code }) => code),
      ...(held === "late" ? ["RCPT030"] : held === "historical" ? ["RCPT014"] : [])
    ].filter((code) => ofBatchCodes.has(code))
  })
}, Effect.provide(SqliteStaging.layerMemory))

for (const { cases, client, code } of files) {
  describe(`rule ${code} in preflight`, () => {
    for (const one of cases) {
      it.effect(`${one.expect}: ${one.name}`, function* () {
        const given = yield* circumstances(one)
        const codes = [
          ...ofDocument(given).map((finding) => finding.code),
          ...(yield* inBatch(given)),
          ...DeviceReadiness.check(given.device, undefined).map((finding) => finding.code)
        ].filter((found) => /^(RCPT|DEV)\d+$/.test(found))
        if (one.expect === "passes" || client === "cannot check") assert.deepStrictEqual(codes, [])
        else assert.include(codes, code)
      })
    }
  })
}

it("has cases for every rule, and relaxes only existing rules", () => {
  const known = [...receiptRules, DeviceReadiness.DEV01, DeviceReadiness.DEV05].map(({ code }) => code)
  assert.deepStrictEqual(files.map(({ code }) => code).toSorted(), known.toSorted())
  for (const code of relaxable) assert.include(known, code)
})
