/**
 * Report in a single HTML file, without scripts and external resources, for a screen and for paper.
 */
import type { Finding, Instant } from "@fiscal-connector/core/adapter"
import type { Destination, ImportRecord, ImportedDocument } from "@fiscal-connector/core/session"
import { Lane } from "@fiscal-connector/core/store"
import type { MappingBook } from "@fiscal-connector/core/book"
import { SignedSums, TaxShares } from "@fiscal-connector/core/host/import"
import { Effect, Stream } from "effect"
import { escape, html, type Html, when } from "../html/Html.ts"
import { facts, headsOf, type HtmlColumn, rowOf } from "../html/Table.ts"
import * as Style from "../html/Style.ts"
import * as Tiles from "./Tiles.ts"
import * as Parts from "./Parts.ts"
import { gather, type Tally } from "./Tally.ts"
import * as Texts from "../text/Texts.ts"

const texts = Texts.report

/**
 * Contents of a report. `documents` is run two or three times: for the sums, for the list, and for
 * the QR codes if requested.
 */
export interface Report<E, R> {
  /** Time of the report, in the zone for all times. */
  readonly at: Instant.Instant
  readonly destinations: ReadonlyArray<Destination.Destination>
  /** The import. Null for documents of the store from any import. */
  readonly record: Pick<ImportRecord.ImportRecord, "adapter" | "files" | "book" | "settings"> | null
  /** Mapping book for the sums by tax. Without taxes if the documents come from several books. */
  readonly book: Pick<MappingBook.MappingBook, "taxes">
  /** Findings that belong to no document. */
  readonly unattached: ReadonlyArray<Finding.Finding>
  readonly documents: Stream.Stream<ReadonlyArray<ImportedDocument.ImportedDocument>, E, R>
}

interface Gathered {
  readonly tally: Tally
  /** First and last day of the documents. Null if no document states a day. */
  readonly first: string | null
  readonly last: string | null
}

/**
 * Returns the report as text in pieces, so that memory stays flat for any number of documents.
 * `qr`: `with` appends the QR codes.
 */
export const write = <E, R>(report: Report<E, R>, qr: "with" | "without" = "with"): Stream.Stream<string, E, R> =>
  Stream.unwrap(
    Effect.map(gathered(report), (found) => {
      const appendix =
        qr === "without"
          ? Stream.empty
          : Stream.succeed(`<h2>${escape(texts.appendix)}</h2><ul class="receipts">\n`).pipe(
              Stream.concat(Stream.map(report.documents, receipts)),
              Stream.concat(Stream.succeed("</ul>\n"))
            )
      const percents = TaxShares.percentsOf(report.book)
      return Stream.succeed(head(report, found)).pipe(
        Stream.concat(Stream.map(report.documents, (page) => lines(page, percents))),
        Stream.concat(Stream.succeed(`${listEnd}${tail(report, found)}`)),
        Stream.concat(appendix),
        Stream.concat(Stream.succeed(foot))
      )
    })
  )

const dayOf = (document: ImportedDocument.ImportedDocument): string | null => {
  const day = Parts.dated(document).slice(0, "YYYY-MM-DD".length)
  return day === "" ? null : day
}

const gathered = <E, R>(report: Report<E, R>): Effect.Effect<Gathered, E, R> => {
  let [first, last]: [string | null, string | null] = [null, null]
  const tally = gather(report, (document) => {
    const day = dayOf(document)
    if (day === null) return
    if (first === null || day < first) first = day
    if (last === null || day > last) last = day
  })
  return Effect.map(tally, (tally) => ({ tally, first, last }))
}

const receipts = (page: ReadonlyArray<ImportedDocument.ImportedDocument>): string =>
  page
    .filter(({ state }) => state !== "Skipped" && state !== "Refused")
    .map((document) => Parts.receipt(document).text)
    .join("\n")

const columns: ReadonlyArray<HtmlColumn> = [
  Texts.word.number,
  Texts.word.date,
  Texts.word.buyer,
  Texts.word.kind,
  { figures: Texts.word.net },
  { figures: Texts.word.tax },
  { figures: Texts.word.total },
  Texts.word.state
]

const lines = (page: ReadonlyArray<ImportedDocument.ImportedDocument>, percents: TaxShares.Percents): string =>
  page
    .map((document) => {
      const { buyer, currency, kind, number, state, text, total, verificationCode } = document
      const sum = (of: "net" | "tax") => Parts.figureOrBlank(Tiles.sumOf(document, percents, of))
      const row = rowOf(columns, [
        number || (document.id ?? ""),
        Texts.day(dayOf(document) ?? ""),
        html`<bdi>${buyer}</bdi>`,
        kind === null ? "" : (Texts.kinds[kind]?.[0] ?? kind),
        sum("net"),
        sum("tax"),
        Parts.amount(currency, SignedSums.signed(kind, total)),
        html`${Texts.states[state] ?? state}${verificationCode === null ? "" : html`<br /><code>${verificationCode}</code>`}${text === null || state === "Fiscalised" ? "" : `: ${text}`}`
      ])
      return `${row.text} `
    })
    .join("")

const balance = ({ summary }: Tally): Html => {
  const groups = SignedSums.byGroup(summary)
  return html`<section class="card">
      <h2>${texts.balance}</h2>
      ${Tiles.equation(groups)}
      <p class="soft small">${texts.balanceText}</p>
    </section>
    ${groups.map(
      ({ documents, group }) =>
        html`<section class="card">
          <h2>${Texts.living.tiles[group]}: ${Texts.documents(documents)}</h2>
          ${Tiles.amounts(summary, group)}
        </section>`
    )}`
}

const head = <E, R>({ at, destinations, record }: Report<E, R>, { first, last, tally }: Gathered): string => {
  const title = record === null ? texts.resumed : texts.title
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  const { counts, documents } = tally.summary
  const about = facts([
    ...destinations.flatMap(({ account, lane, taxpayer }) => [
      [texts.taxpayer, taxpayer] as const,
      [Texts.word.device, `${Lane.deviceOf(lane)} (${account})`] as const
    ]),
    ...(first === null ? [] : [[texts.period, `${Texts.day(first)} – ${Texts.day(last ?? "")}`] as const]),
    ...(record?.files ?? []).map(
      ({ name, sha256 }) =>
        [texts.file, html`${name}<br /><span class="soft small">${texts.hash}</span> <code>${sha256}</code>`] as const
    )
  ])
  const body = html`<main>
    <header>
      <p>${environments(destinations)}</p>
      <h1>${title}</h1>
      <p class="soft">${texts.made(Parts.time(at))}</p>
    </header>
    <section class="card">${about}</section>
    ${documents === 0 ? Parts.figures(counts) : balance(tally)} ${record === null ? null : Parts.corrections(record)}
    <h2>${Texts.word.documents}</h2>
    ${when(documents === 0, () => html`<p>${texts.none}</p>`)}
   `
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escape(title)}</title><style>${Style.report}</style></head>
<body>${body.text}
<div class="table" tabindex="0" role="region" aria-label="${escape(Texts.word.documents)}"><table>${headsOf(columns).text}<tbody>
`
}

const listEnd = `</tbody></table></div>
`

const tail = <E, R>({ destinations, record }: Report<E, R>, { tally }: Gathered): string =>
  html`${Parts.causes(texts.refused, tally, "error")} ${Parts.causes(texts.warnings, tally, "warning")}
  ${Parts.skipped(tally.skipped)} ${Parts.used(destinations, record)}`.text

const foot = `<p class="soft small">${escape(texts.print)}</p>
</main></body></html>
`

const environments = (destinations: ReadonlyArray<Destination.Destination>): Html =>
  html`${[...new Set(destinations.map(({ environment }) => environment))].map(
    (environment) =>
      html`<span class="badge ${environment === "live" ? "bad" : "plain"}"
        >${Texts.environments[environment] ?? environment}</span
      > `
  )}`
