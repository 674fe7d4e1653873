/** Block of one cause: what it is, its documents and amount, its consequence, and its actions. */
import type { Finding } from "@fiscal-connector/core/adapter"
import { ImportFinding, SignedSums } from "@fiscal-connector/core/host/import"
import { html, type Html, when } from "../../html/Html.ts"
import * as Parts from "../../report/Parts.ts"
import type { Tally } from "../../report/Tally.ts"
import * as Tiles from "../../report/Tiles.ts"
import type { ImportRow } from "../../work/PageImport.ts"
import * as Texts from "../../text/Texts.ts"
import type { Frame } from "./Layout.ts"

/**
 * Returns the block. `tone`: `bad` without a receipt, `waiting` for an answer. `side`: documents
 * and amount. `actions`: the first is the one after which books and receipts agree.
 */
export const caseCard = (
  tone: "bad" | "waiting",
  title: string,
  side: string,
  content: Html,
  actions: Html | null = null
): Html =>
  html`<section class="card case ${tone}">
    <header>
      <h2><span class="badge ${tone === "bad" ? "bad" : "unknown"}" aria-hidden="true"></span> ${title}</h2>
      <span class="small soft">${side}</span>
    </header>
    ${content} ${when(actions, () => html`<footer>${actions}</footer>`)}
  </section>`

const few = 5

/** Returns the first numbers of documents. `all`: number of the documents. */
export const namesOf = (numbers: ReadonlyArray<string>, all: number): string =>
  `${[...new Set(numbers)].slice(0, few).join(", ")}${all > few ? ", …" : ""}`

/** Returns the amounts of a cause, and its first numbers. `all`: number of the documents. */
export const sideOf = (sums: SignedSums.SignedSums, numbers: ReadonlyArray<string>, all: number): string =>
  Texts.joined(Tiles.amountsOf(sums), namesOf(numbers, all))

export const sideOfRows = (rows: ReadonlyArray<ImportRow>): string =>
  sideOf(
    SignedSums.of(rows),
    rows.map(({ id, number }) => number || id),
    rows.length
  )

const { CANCELLED_AFTER_SENDING, CANCELLED_WHILE_PLANNED, DIFFERS_FROM_SENT, FILLED_FROM_BOOK } =
  ImportFinding.ImportFinding

const repeating: ReadonlySet<string> = new Set([FILLED_FROM_BOOK.code])

const differing: ReadonlySet<string> = new Set(
  [CANCELLED_AFTER_SENDING, CANCELLED_WHILE_PLANNED, DIFFERS_FROM_SENT].map(({ code }) => code)
)

/** Shows what the file states otherwise than it was sent, with its ways out. */
export const differingPart = ({ prefix }: Frame, tally: Tally): Html =>
  html`${tally
    .causes("warning")
    .filter(({ finding }) => differing.has(finding.code))
    .map(({ count, finding: { code, consequence, fix, message }, rows, sums }) =>
      caseCard(
        "waiting",
        `${message} (${count.toLocaleString("en")})`,
        sideOf(
          sums,
          rows.flatMap(({ number }) => (number === "" ? [] : [number])),
          count
        ),
        html`<ul class="plain-list small">
            ${rows.slice(0, few).map(({ finding: { detail }, number }) => html`<li>${[number, detail].filter(Boolean).join(": ")}</li>`)}
          </ul>
          <p class="small">${Parts.marked(consequence)} ${Parts.marked(fix)} <code class="soft">${code}</code></p>`,
        html`${when(code !== CANCELLED_WHILE_PLANNED.code, () => html`<a class="button quiet" href="${prefix}/credits">${Texts.credit.tabs.credits}</a>`)}<a
            class="button quiet"
            href="${prefix}/health"
            >${Texts.page.health}</a
          >`
      )
    )}`

export const ofAnswers = (tally: Tally): number =>
  tally
    .causes("warning")
    .reduce((sum, { documents, finding }) => sum + (repeating.has(finding.code) ? documents : 0), 0)

/** Returns the warnings that the operator did not choose. `others`: warnings about the plan. */
export const warningsPart = (tally: Tally, others: ReadonlyArray<Finding.Finding> = []): Html => {
  const known = tally.causes("warning").filter(({ finding: { code } }) => !repeating.has(code) && !differing.has(code))
  const found = known.map(({ documents, finding: { code, consequence, message }, rows }) => {
    const names = rows.map(({ number }) => number)
    return { message, fix: `${consequence} \`${code}\``, detail: documents > 0 ? namesOf(names, documents) : undefined }
  })
  return when(
    others.length + found.length > 0,
    () =>
      html`<section class="card case">
        <h2>${Texts.page.toKnow}</h2>
        ${[...others, ...found].map(Parts.foundText)}
      </section>`
  )
}
