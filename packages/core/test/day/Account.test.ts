/** The account of a period closes for every history, and every cut of a period adds up. */
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import * as Account from "../../src/day/Account.ts"
import type { CivilDate } from "../../src/document/CivilDate.ts"
import * as Money from "../../src/document/Money.ts"
import { money, random } from "./Sales.ts"
import { states } from "../../src/submission/Submission.ts"

const date = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10) as CivilDate

/** A history over 90 days: late and early receipts, second receipts, changes of the source. */
const history = (seed: number): ReadonlyArray<Account.AccountDocument> => {
  const draw = random(seed)
  return Array.from({ length: 60 }, (_, n) => {
    const kind = draw(5) === 0 ? "credit-note" : "invoice"
    const currency = draw(6) === 0 ? "ZWG" : "USD"
    const figures = (cents: number, of = currency): Account.AccountFigures => {
      const [tax, total] = [money(Math.floor(cents / 10)), money(cents)]
      return {
        kind,
        currency: of,
        total,
        tax,
        shares: [{ device: 1 + draw(2), net: BigDecimal.subtract(total, tax), tax, gross: total }]
      }
    }
    const cents = 100 + draw(10_000)
    const dated = draw(90)
    const receipts = Array.from({ length: [0, 1, 1, 1, 2][draw(5)]! }, (): Account.PlacedReceipt => {
      const day = Math.max(0, dated - 5 + draw(20))
      return {
        by: draw(8) === 0 ? "operator" : "proof",
        day,
        closed: draw(8) === 0 ? null : date(day + draw(3)),
        number: null,
        code: null,
        link: null,
        figures: figures(cents)
      }
    })
    const state = receipts.length > 0 ? "Fiscalised" : states[draw(states.length)]!
    return {
      kind,
      number: `D-${n}`,
      account: "main",
      dated: date(dated),
      state,
      stated: draw(10) === 0 ? "void" : figures(draw(10) === 0 ? cents + 1 : cents, draw(10) === 0 ? "EUR" : currency),
      made: "source",
      ended: Account.endedBy(state),
      receipts
    }
  })
}

const accountOf = (documents: ReadonlyArray<Account.AccountDocument>, from: number, to: number) => {
  const account = Account.make({ from: date(from), to: date(to - 1) })
  for (const document of documents) account.add(document)
  return account
}

const cents = (amount: Money.Money) => Number(Money.formatAmount(amount).replace(".", ""))

/** Totals less notes in cents, taxes and counts of each row that is shown, by currency and row. */
const figuresOf = (account: Account.PeriodAccount) =>
  new Map(
    Array.from(account.chains()).flatMap(([currency, rows]) =>
      rows.filter(Account.isShown).map((row) => {
        const { invoice, "credit-note": note } = row
        const tax = cents(BigDecimal.subtract(invoice.tax, note.tax))
        const ofShares = row.shares.map(({ gross, kind }) => (kind === "invoice" ? cents(gross) : -cents(gross)))
        const shares = ofShares.reduce((sum, one) => sum + one, 0)
        return [
          `${currency} ${row.name}`,
          [invoice.documents + note.documents, cents(Account.netOf(row)), tax, shares] as const
        ] as const
      })
    )
  )

const names = (list: ReadonlyArray<Account.Carried>) => list.map(({ number }) => number).toSorted()

describe("the account of a period", () => {
  it("closes to the cent for every history: each document has one origin and one fate", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const figures = figuresOf(accountOf(history(seed), 30, 60))
      for (const currency of ["USD", "ZWG", "EUR"]) {
        const of = (name: Account.RowName) => figures.get(`${currency} ${name}`) ?? [0, 0, 0, 0]
        for (const n of [1, 2, 3]) {
          let sum = 0
          for (const [name, { sign }] of Object.entries(Account.rows) as ReadonlyArray<
            [Account.RowName, (typeof Account.rows)[Account.RowName]]
          >) {
            if (sign === "=") assert.strictEqual(of(name)[n], sum, `seed ${seed}, ${currency} ${name} ${n}`)
            else sum += sign === "+" ? of(name)[n]! : -of(name)[n]!
          }
        }
      }
    }
  })

  it("adds up over any cut, and closes with the list that the next period opens with", () => {
    const additive: ReadonlyArray<Account.RowName> = ["issued", "fiscalised", "claimed", "second", "receipts"]
    for (let seed = 1; seed <= 500; seed++) {
      const draw = random(seed * 7)
      const documents = history(seed)
      const from = draw(40)
      const cut = from + 1 + draw(25)
      const to = cut + 1 + draw(25)
      const [first, second, whole] = [
        accountOf(documents, from, cut),
        accountOf(documents, cut, to),
        accountOf(documents, from, to)
      ]
      assert.deepStrictEqual(names(first.closing), names(second.opening), `seed ${seed}`)
      assert.deepStrictEqual(names(first.opening), names(whole.opening))
      assert.deepStrictEqual(names(second.closing), names(whole.closing))
      const [a, b, all] = [first, second, whole].map(figuresOf)
      for (const currency of ["USD", "ZWG"])
        for (const name of additive) {
          const of = (figures: typeof a) => figures!.get(`${currency} ${name}`) ?? [0, 0, 0, 0]
          assert.deepStrictEqual(
            of(a).map((figure, n) => figure + of(b)[n]!),
            [...of(all)],
            `seed ${seed}, ${currency} ${name}`
          )
        }
    }
  })

  it("is the same for an old period after later receipts, apart from the day that a carried document names", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const documents = history(seed)
      const later = documents.map((document): Account.AccountDocument => {
        const { ended, receipts } = document
        const stated = Account.statedBy(document)
        if (ended !== null || receipts.length > 0 || stated === null) return document
        return {
          ...document,
          state: "Fiscalised",
          receipts: [{ by: "proof", day: 99, closed: date(99), number: null, code: null, link: null, figures: stated }]
        }
      })
      const [before, after] = [accountOf(documents, 30, 60), accountOf(later, 30, 60)]
      assert.deepStrictEqual(figuresOf(after), figuresOf(before))
      const known = ({ account, dated, figures, kind, number }: Account.Carried) => [
        account,
        dated,
        figures,
        kind,
        number
      ]
      assert.deepStrictEqual(after.closing.map(known), before.closing.map(known))
      assert.isTrue(
        after.closing.every(({ day, number }) => {
          const was = documents.find((one) => one.number === number)!
          return was.receipts.length > 0 || was.stated === "void" || day === 99
        })
      )
    }
  })
})
