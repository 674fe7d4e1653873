/**
 * The account of a period as one HTML file for screen and paper, or its documents as CSV. Without
 * scripts and external resources.
 */
import { FormulaText, Money } from "@fiscal-connector/core/adapter"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { type ImportRecord, Reconcile } from "@fiscal-connector/core/session"
import { Account } from "@fiscal-connector/core/host/account"
import { BigDecimal, DateTime } from "effect"
import { escape, html, type Html, when } from "../html/Html.ts"
import { figureOf } from "./Parts.ts"
import * as QrCode from "../html/QrCode.ts"
import * as Style from "../html/Style.ts"
import { facts, type HtmlColumn, table } from "../html/Table.ts"
import * as Texts from "../text/Texts.ts"

/** Contents of the report. */
export interface AccountReport {
  readonly found: Reconcile.Reconciliation
  readonly documents: ReadonlyArray<Reconcile.AccountRow>
  readonly files: ReadonlyArray<ImportRecord.FileRecord>
  readonly version: string
  /** Returns the next command of a difference. Null if there is none. */
  readonly next?: (difference: Reconcile.Difference) => string | null
}

const amount = Money.formatAmount
const minute = (at: DateTime.Utc): string => DateTime.formatIso(at).slice(0, 16).replace("T", " ")
const right = (figures: string): HtmlColumn => ({ figures })
const nowrap = (text: string): Html => html`<span class="nowrap">${text}</span>`

/** Returns which sides were compared, and what was not with its reason. */
export const legs = ({ legs }: Reconcile.Reconciliation): Html =>
  table(
    "What was compared",
    ["Sides", "Compared", "Not compared"],
    legs.map(({ compared, name, notPossible }) => [
      name,
      compared ?? "nothing",
      notPossible.map(Reconcile.notPossible).join("; ") || "none"
    ])
  )

/** Returns the chain of one currency without empty rows. A credit note is negative. */
export const chain = (
  { deviceSums }: Reconcile.Reconciliation,
  currency: string,
  rows: ReadonlyArray<Account.AccountLine>
): Html => {
  const figures = [right("Invoices"), right("Amount"), right("Notes"), right("Amount"), right("Tax"), right("Total")]
  return table(
    `Account in ${currency}`,
    [currency, ...figures],
    [
      ...rows.filter(Account.isShown).map((one) => {
        const { "credit-note": note, invoice } = one
        const { sign, words } = Account.rows[one.name]
        return [
          `${sign} ${words}`,
          invoice.documents,
          figureOf(invoice.total),
          note.documents,
          figureOf(BigDecimal.negate(note.total)),
          figureOf(BigDecimal.subtract(invoice.tax, note.tax)),
          figureOf(Account.netOf(one))
        ]
      }),
      ...Reconcile.deviceRows(deviceSums.get(currency)!).map(
        ([sign, words, total]) =>
          html`<tr>
            <td>${sign} ${words}</td>
            <td colspan="5"></td>
            <td class="number">${figureOf(total)}</td>
          </tr>`
      )
    ]
  )
}

const returned: ReadonlyArray<readonly [Account.RowName, string]> = [
  ["issued", "Issued"],
  ["prepared", "Credit notes prepared here"],
  ["receipts", "Receipts"],
  ["carried-in", "Carried in"],
  ["carried-out", "Carried out"]
]

const taxReturn = (currency: string, rows: ReadonlyArray<Account.AccountLine>): Html =>
  table(
    `Figures of the tax return in ${currency}`,
    [`Of the tax return, ${currency}`, "Kind", "Tax of the device", right("Net"), right("Tax"), right("Gross")],
    returned.flatMap(([name, words]) =>
      rows
        .find((one) => one.name === name)!
        .shares.toSorted((a, b) => b.kind.localeCompare(a.kind) || (a.device ?? 0) - (b.device ?? 0))
        .map(({ device, gross, kind, net, tax }) => [
          words,
          kindOf(kind),
          device === null ? "not known" : String(device),
          ...[net, tax, gross].map((of) => amount(SignedSums.signed(kind, of)))
        ])
    )
  )

const kindOf = (kind: string): string => Texts.kinds[kind]?.[0] ?? kind

const differences = ({ found: { differences }, next }: AccountReport): Html =>
  html`<p>
      A positive amount is taxed and not in the books; a negative amount is in the books and not taxed. In the figures
      of a day, the device's amount is first.
    </p>
    ${table(
      "Differences",
      ["Grade", "What, and the next step", right("Amount"), "Examined"],
      differences.map((one) => {
        const { acknowledged, amount: of, code, currency, grade, id, text } = one
        const step = acknowledged === null ? (next?.(one) ?? null) : null
        return [
          grade,
          html`<code>${code}</code> <span class="soft small">${id}</span><br />${text}
            ${when(step !== null, () => html`<br />Next: <code>${step}</code>`)}`,
          of === null ? "" : `${currency} ${amount(of)}`,
          acknowledged ?? "no"
        ]
      })
    )}`

const open = ({ closing }: Reconcile.Reconciliation): Html =>
  html`<p>They are in the books and have no receipt yet. The command <code>health</code> lists what they wait for.</p>
    ${table(
      "Open documents",
      ["Number", "Date", "State", "Currency", right("Total")],
      closing
        .filter(({ standing }) => standing === "open")
        .map(({ dated, figures, number, state }) => [
          number,
          dated,
          Texts.states[state] ?? state,
          figures.currency,
          amount(Account.signedTotal(figures))
        ])
    )}`

const decisions = ({ decisions }: Reconcile.Reconciliation): Html =>
  table(
    "Decisions of the period",
    ["When", "Who", "Act", "Document", "Reason"],
    decisions.map(({ act, at, because, subject, who }) => [minute(at), who, act, subject, because])
  )

const cellsOf = (one: Reconcile.AccountRow) => {
  const { buyer, dated, kind, number, place, receipts } = one
  const [receipt] = receipts
  const figures = Account.statedBy(one) ?? receipt?.figures
  const sum = (of: (one: Account.AccountFigures) => Money.Money) =>
    figures === undefined ? Money.zero : SignedSums.signed(kind, of(figures))
  return {
    texts: [number, dated, buyer ?? "", kindOf(kind), figures?.currency ?? ""],
    sums: [sum(({ tax, total }) => BigDecimal.subtract(total, tax)), sum(({ tax }) => tax), sum(({ total }) => total)],
    link: QrCode.linkOf(receipt?.link ?? null),
    rest: [
      receipt?.number == null ? "" : String(receipt.number),
      receipt?.day == null ? "" : String(receipt.day),
      receipt?.code ?? "",
      receipt === undefined ? "none" : receipt.by === "proof" ? "gateway" : "operator",
      `${place.origin}, ${place.fate}`
    ]
  }
}

const titles = ["Number", "Date", "Buyer", "Kind", "Currency", "Net", "Tax", "Total"]
const more = ["Receipt", "Day", "Code", "Proof", "Place"]

/** Returns the documents as CSV. */
export const csv = ({ documents }: Pick<AccountReport, "documents">): string => {
  const line = (cells: ReadonlyArray<string>) =>
    cells.map((cell) => `"${FormulaText.neutralized(cell).replaceAll('"', '""')}"`).join(",")
  const lines = documents.map((one) => {
    const { rest, sums, texts } = cellsOf(one)
    return line([...texts, ...sums.map(amount), ...rest])
  })
  return [line([...titles, ...more]), ...lines, ""].join("\r\n")
}

const section = (title: string, content: Html | ReadonlyArray<Html>, isEmpty = false): Html =>
  html`<h2>${title}</h2>
    ${isEmpty ? html`<p>None.</p>` : content}`

/** Returns the report as one HTML file. */
export const write = (report: AccountReport): string => {
  const { documents, files, found, version } = report
  const { account, at, chains, closing, device, notes, period, taxpayer } = found
  const all = Array.from(chains ?? [])
  const title = `Account of ${period.from} to ${period.to}`
  const body = html`<main>
    <header>
      <h1>${title}</h1>
      <p class="soft">${minute(at)} UTC, fiscal-connector ${version}</p>
    </header>
    <section class="card">
      ${facts([
        ["Taxpayer", taxpayer],
        ["Device", `${device} (${account})`],
        ...files.map(({ name, sha256 }) => ["File", html`${name}<br /><code>${sha256}</code>`] as const)
      ])}
    </section>
    ${section("Compared", [
      legs(found),
      html`<p class="soft small">
        Source: the books. Store: the record of this program. Day reports: the counters of the fiscal device.
      </p>`
    ])}
    ${section(
      "Account",
      all.map(([currency, rows]) => chain(found, currency, rows)),
      chains === null
    )}
    ${section(
      "Figures of the tax return",
      all.map(([currency, rows]) => taxReturn(currency, rows)),
      chains === null
    )}
    ${section("Differences", differences(report), found.differences.length === 0)}
    ${section("Open documents", open(found), !closing.some(({ standing }) => standing === "open"))}
    ${notes.map((note) => html`<p>${note}</p>`)} ${section("Decisions", decisions(found), found.decisions.length === 0)}
    ${section(
      "Documents",
      table(
        "Documents",
        [...titles.slice(0, 5), ...titles.slice(5).map(right), ...more],
        documents.map((one) => {
          const { link, rest, sums, texts } = cellsOf(one)
          const [number = "", dated = "", ...others] = texts
          const verified = rest.map((cell, n) =>
            more[n] === "Code" && link !== null ? html`<a href="${link}">${nowrap(cell || "verify")}</a>` : cell
          )
          return [number, nowrap(dated), ...others, ...sums.map(amount), ...verified]
        })
      ),
      documents.length === 0
    )}
  </main>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="robots" content="noindex"><title>${escape(title)}</title><style>${Style.report}</style></head>
<body>${body.text}</body></html>
`
}
