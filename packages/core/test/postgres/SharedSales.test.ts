/** One sale that two processes plan or register at the same moment, in two spellings. */
import { assert, describe, it } from "../It.ts"
import { Effect, Option } from "effect"
import { CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"
import * as PgStore from "../../src/node/PgStore.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { fresh } from "./Database.ts"

type Store = SubmissionStore["Service"]

const receiptDate = "2026-01-10T12:00:30+02:00"

/** Sales that both processes state, one after the other. */
const sales = 20

const inShop = (n: number) => invoice(`S-${n}`, { number: `S-${n}`, receiptDate })
const inTill = (n: number) =>
  invoice(`s/00${n}`, { number: `s/00${n}`, receiptDate, account: "till", lane: "test/1002" })

const elsewhere = (n: number) => ({
  account: "till",
  taxpayer: "2000000001",
  invoiceId: InvoiceId.make(`s/00${n}`),
  number: DocumentNumber.make(`s/00${n}`),
  date: Option.getOrThrow(Instant.parse(receiptDate)),
  currency: CurrencyCode.make("USD"),
  total: Option.getOrThrow(Money.parse("115.00")),
  taxCodes: [TaxCode.make("EXEMPT")],
  credited: Money.zero
})

/** Runs both sides at once on two connections; returns the states of the documents of each sale. */
const race = (other: (store: Store, n: number) => Effect.Effect<unknown, unknown>) => {
  const config = fresh()
  const withStore = <A, E>(use: (store: Store) => Effect.Effect<A, E>) =>
    Effect.provide(SubmissionStore.use(use), PgStore.layer(config), { local: true })
  return withStore((one) =>
    withStore((two) =>
      Effect.gen(function* () {
        for (let n = 0; n < sales; n++) yield* Effect.all([one.plan([inShop(n)]), other(two, n)], { concurrency: 2 })
        const documents = yield* one.list({})
        return Array.from({ length: sales }, (_, n) =>
          documents
            .filter(({ id }) => id === `S-${n}` || id === `s/00${n}`)
            .map(({ state }) => state)
            .toSorted()
        )
      })
    )
  )
}

describe("one sale in two accounts of a taxpayer", () => {
  it.live("that both plan at once is sent by one, and the other asks", function* () {
    for (const states of yield* race((store, n) => store.plan([inTill(n)])))
      assert.deepStrictEqual(states, ["Held", "Planned"])
  })

  it.live(
    "that one plans and the other registers as fiscalised elsewhere at once is not sent without a question",
    function* () {
      for (const states of yield* race((store, n) => store.registerOriginals([elsewhere(n)])))
        assert.deepStrictEqual(states, ["Held"])
    }
  )
})
