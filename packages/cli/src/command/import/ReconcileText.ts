import { Money } from "@fiscal-connector/core/adapter"
import { Account } from "@fiscal-connector/core/host/account"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { Reconcile } from "@fiscal-connector/core/session"
import { OperatorRecord } from "@fiscal-connector/core/decisions"
import { BigDecimal } from "effect"
import type { CallShape } from "../../output/Call.ts"
import * as NextStep from "../../output/NextStep.ts"
import type { ScreenShape } from "../../output/Screen.ts"
import { type Column, table } from "../../output/Table.ts"
import { padEnd, printable } from "../../output/Terminal.ts"

type Reconciliation = Reconcile.Reconciliation

const titles = ["", "", "Invoices", "Amount", "Notes", "Amount", "Tax", "Total"]

const columns = titles.map((title, n): Column<ReadonlyArray<string>> => ({
  title,
  value: (cells) => cells[n]!,
  ...(title !== "" && { align: "right" }),
  ...((title === "" || title === "Total") && { keep: "always" })
}))

const shown = (row: Account.AccountLine): ReadonlyArray<string> => {
  const { sign, words } = Account.rows[row.name]
  const tax = BigDecimal.subtract(row.invoice.tax, row["credit-note"].tax)
  const kinds = (["invoice", "credit-note"] as const).flatMap((kind) => [
    String(row[kind].documents),
    Money.formatAmount(SignedSums.signed(kind, row[kind].total))
  ])
  return [sign, words, ...kinds, Money.formatAmount(tax), Money.formatAmount(Account.netOf(row))]
}

const single = ([sign, words, total]: ReturnType<typeof Reconcile.deviceRows>[number]): ReadonlyArray<string> => [
  sign,
  words,
  ...titles.slice(3).map(() => ""),
  Money.formatAmount(total)
]

const chain = (
  { deviceSums }: Reconciliation,
  currency: string,
  rows: ReadonlyArray<Account.AccountLine>,
  screen: ScreenShape
): string => {
  const kept = rows.filter(Account.isShown)
  const all = [...kept.map(shown), ...Reconcile.deviceRows(deviceSums.get(currency)!).map(single)]
  return `${currency || "no currency"}\n${table(columns, all, screen)}`
}

const legs = ({ legs }: Reconciliation, call: CallShape): string => {
  const width = Math.max(...legs.map(({ name }) => name.length))
  return legs
    .flatMap(({ compared, name, notPossible }) =>
      [
        ...(compared === null ? [] : [["compared", compared] as const]),
        ...notPossible.map((part) => ["not possible", Reconcile.notPossible(part), part.id] as const)
      ].map(
        ([how, text, id], n) =>
          `  ${padEnd(n === 0 ? name : "", width)}  ${padEnd(how, 12)}  ${printable(text)}${id === undefined ? "" : `\n    ${examined(id, call)}`}`
      )
    )
    .join("\n")
}

const mostShown = 100

const sums = (differences: ReadonlyArray<Reconcile.Difference>): string => {
  const byCurrency = new Map<string, Money.Money>()
  for (const { amount, currency } of differences)
    if (amount !== null && currency !== null)
      byCurrency.set(currency, BigDecimal.sum(byCurrency.get(currency) ?? Money.zero, amount))
  return Array.from(byCurrency, ([currency, amount]) => `, ${currency} ${Money.formatAmount(amount)}`).join("")
}

const ofReconcile = new Set(["--from", "--to", "--report", "--as"])

const again = (call: CallShape): string => {
  const source = call.value("source")
  return source === undefined
    ? call.like({ command: "import", leavesOut: (flag) => ofReconcile.has(flag) })
    : call.next({ command: ["sync"], operands: [source], as: ["config"] })
}

/** Returns the next command of a difference. */
export const nextOf = ({ documents, step }: Reconcile.Difference, call: CallShape): string | null => {
  const [first] = documents
  return step.do === "import-again"
    ? again(call)
    : NextStep.callFor(step, call, { number: first?.number, forAccount: first?.account })
}

const differences = ({ differences }: Reconciliation, call: CallShape): string => {
  if (differences.length === 0) return ""
  const open = differences.filter(({ acknowledged }) => acknowledged === null)
  const lines = differences.slice(0, mostShown).map((difference) => {
    const { acknowledged, amount, code, currency, grade, id, text } = difference
    const figures = amount === null || currency === null ? "" : `, ${currency} ${Money.formatAmount(amount)}`
    const end =
      acknowledged === null
        ? `\n    ${nextOf(difference, call) ?? ""}\n    ${examined(id, call)}`
        : acknowledged === Reconcile.settledInStore
          ? "\n    It is settled in the store."
          : `\n    Examined by ${printable(acknowledged)}.`
    return `${padEnd(grade, 12)} ${code}${printable(figures)}\n    ${printable(text.replace(/\.$/, ""))}.${end}`
  })
  const more = differences.length > mostShown ? [`${differences.length - mostShown} more; --json has them.`] : []
  const acknowledged = differences.length - open.length
  const examinedWords = acknowledged === 0 ? "" : `; ${acknowledged} more are examined`
  const title = `${open.length} difference${open.length === 1 ? "" : "s"}${sums(open)}${examinedWords}`
  return [title, ...lines, ...more].join("\n")
}

const examined = (id: string, call: CallShape): string =>
  call.next({
    command: ["reconcile", "acknowledge"],
    operands: [id],
    as: ["config", "account"],
    flags: ["--because", OperatorRecord.reasonPlaceholder("what you found")]
  })

const standings: Readonly<Record<Account.Carried["standing"], (one: Account.Carried) => string>> = {
  open: ({ state }) => `open: ${state}`,
  "open-day": ({ day }) => (day === null ? "its fiscal day is not known" : `in day ${day}, which is open`),
  "later-day": ({ day }) => `fiscalised on day ${day}`
}

const carried = (title: string, list: ReadonlyArray<Account.Carried>): string =>
  list.length === 0
    ? ""
    : [
        `${title}: ${list.length}`,
        ...list.slice(0, 20).map((one) => {
          const { dated, figures, number } = one
          const amount = `${figures.currency} ${Money.formatAmount(Account.signedTotal(figures))}`
          return `  ${printable(`${number}  ${dated}  ${amount}  ${standings[one.standing](one)}`)}`
        }),
        ...(list.length > 20 ? [`  ${list.length - 20} more; --json and --report have them.`] : [])
      ].join("\n")

/** States what agrees, with counts: the word is never alone. */
const agreeing = ({ chains, legs }: Reconciliation): string => {
  const receipts = [...(chains ?? new Map()).values()].reduce((sum, rows: ReadonlyArray<Account.AccountLine>) => {
    const row = rows.find(({ name }) => name === "receipts")!
    return sum + row.invoice.documents + row["credit-note"].documents
  }, 0)
  const compared = legs.filter(({ compared }) => compared !== null).length
  const left = legs.flatMap(({ notPossible }) => notPossible).reduce((sum, { count }) => sum + count, 0)
  if (compared === 0) return `nothing was compared; left out: ${left}`
  return `agrees: ${receipts} receipts, ${compared} of ${legs.length} legs; not compared: ${left}`
}

export const toText = (found: Reconciliation, call: CallShape, screen: ScreenShape): string => {
  const { account, chains, closing, device, notes, opening, period, taxpayer } = found
  return [
    printable(`Taxpayer ${taxpayer}, device ${device}, ${period.from} to ${period.to} (account ${account})`),
    legs(found, call),
    ...(chains === null
      ? ["The account cannot be summed: the closings of the fiscal days are not known."]
      : Array.from(chains, ([currency, rows]) => chain(found, currency, rows, screen))),
    carried("Carried in", opening),
    carried("Carried out", closing),
    differences(found, call),
    ...notes.map(printable),
    printable(Reconcile.changedSince(found) ?? ""),
    chains !== null && found.differences.every(({ acknowledged }) => acknowledged !== null) ? agreeing(found) : ""
  ]
    .filter(Boolean)
    .join("\n\n")
}

const listed = (list: ReadonlyArray<Account.Carried>) =>
  list.map(({ figures, ...rest }) => ({ ...rest, currency: figures.currency, tax: figures.tax, total: figures.total }))

export const toJson = (found: Reconciliation) => {
  const { account, at, chains, closing, days, decisions, device, deviceSums, differences, legs, notes, opening } = found
  return {
    account,
    taxpayer: found.taxpayer,
    device,
    period: found.period,
    at,
    legs,
    chains: chains && Array.from(chains, ([currency, rows]) => ({ currency, rows, device: deviceSums.get(currency) })),
    opening: listed(opening),
    closing: listed(closing),
    differences,
    days: days.map(({ day, standing }) => ({ day, standing })),
    notes,
    changedSinceReport: Reconcile.changedSince(found),
    decisions: decisions.map(({ act, at, because, subject, who }) => ({ act, at, because, subject, who }))
  }
}
