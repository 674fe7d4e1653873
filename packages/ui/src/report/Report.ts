/** A report to hand on: one file, without a script and without anything from elsewhere, for a screen and for paper. */
import type * as Finding from "@fiscal-connector/core/finding/Finding"
import type { ImportedDocument } from "@fiscal-connector/core/import/ImportedDocument"
import type { Destination } from "@fiscal-connector/core/account/Destination"
import type { Instant } from "@fiscal-connector/core/document/Instant"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import type { ImportRecord } from "@fiscal-connector/core/import/ImportRecord"
import { Effect, Stream } from "effect"
import { escape, html, type Html, when } from "../html/Html.ts"
import * as Style from "../html/Style.ts"
import * as Parts from "./Parts.ts"
import { Tally } from "./Tally.ts"
import * as Words from "../text/Words.ts"

const words = Words.report

/** What is reported. `documents` is run twice: once for the sums, once for the list. */
export interface Report<E, R> {
  /** When it was made, in the zone in which times are shown. */
  readonly at: Instant
  readonly destinations: ReadonlyArray<Destination>
  /** What was imported; null for documents of the store, whatever import they came with. */
  readonly record: Pick<ImportRecord, "adapter" | "files" | "book" | "settings"> | null
  /** By which taxes are summed up; one without taxes where documents of several books are reported. */
  readonly book: Pick<MappingBook, "taxes">
  /** Findings that belong to no document. */
  readonly unattached: ReadonlyArray<Finding.Finding>
  readonly documents: Stream.Stream<ReadonlyArray<ImportedDocument>, E, R>
}

/** The report as text, piece by piece, so that memory stays flat however many documents there are. */
export const write = <E, R>(report: Report<E, R>): Stream.Stream<string, E, R> =>
  Stream.unwrap(
    Effect.map(tallied(report), (tally) =>
      Stream.succeed(head(report, tally)).pipe(
        Stream.concat(Stream.map(report.documents, listed)),
        Stream.concat(Stream.succeed(foot))
      )
    )
  )

const tallied = <E, R>({ book, documents, unattached }: Report<E, R>): Effect.Effect<Tally, E, R> => {
  const tally = new Tally(book)
  for (const finding of unattached) tally.addUnattached(finding)
  return Effect.as(
    Stream.runForEach(documents, (page) =>
      Effect.sync(() => {
        for (const document of page) tally.add(document)
      })
    ),
    tally
  )
}

/** What was refused or skipped has its own part, by cause. */
const listed = (page: ReadonlyArray<ImportedDocument>): string =>
  page
    .filter(({ state }) => state !== "Skipped" && state !== "Refused")
    .map((document) => Parts.receipt(document).text)
    .join("\n")

const head = <E, R>({ at, destinations, record }: Report<E, R>, tally: Tally): string => {
  const title = record === null ? words.resumed : words.title
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  const { counts, documents } = tally.summary
  const body = html`<main>
    <header>
      <p>${environments(destinations)}</p>
      <h1>${title}</h1>
      <p class="soft">${words.made(Parts.time(at))}</p>
    </header>
    ${Parts.figures(counts)} ${Parts.totals(tally.summary)} ${Parts.causes(words.refused, tally, "error")}
    ${Parts.causes(words.warnings, tally, "warning")} ${Parts.skipped(tally.skipped)}
    ${record === null ? null : Parts.corrections(record)} ${Parts.used(destinations, record)}
    <h2>${words.documentsTitle}</h2>
    ${when(documents === 0, () => html`<p>${words.none}</p>`)}
   `
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escape(title)}</title><style>${Style.report}</style></head>
<body>${body.text}
<ul class="receipts">
`
}

const foot = `</ul>
<p class="soft small">${escape(words.print)}</p>
</main></body></html>
`

const environments = (destinations: ReadonlyArray<Destination>): Html =>
  html`${[...new Set(destinations.map(({ environment }) => environment))].map(
    (environment) =>
      html`<span class="badge ${environment === "live" ? "bad" : "plain"}"
        >${Words.environments[environment] ?? environment}</span
      > `
  )}`
