/** Parts shared by the report and the page: figures, sums, causes, a receipt. */
import { OutcomeRecord } from "@fiscal-connector/core/host"
import { Instant as InstantText, Money, Provenance } from "@fiscal-connector/core/adapter"
import type { Destination, ImportRecord, ImportSummary, ImportedDocument } from "@fiscal-connector/core/session"
import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { card, facts, table } from "../html/Table.ts"
import * as QrCode from "../html/QrCode.ts"
import * as Texts from "../text/Texts.ts"
import type { TalliedCause, SkippedTally, Tally } from "./Tally.ts"

const texts = Texts.report

/** States that an operator must settle. They have a separate color. */
const unknown: ReadonlySet<string> = new Set(["Unknown", "Expired", "Held"])

export const stateBadge = (state: string): Html =>
  html`<span class="badge ${unknown.has(state) ? "unknown" : (OutcomeRecord.toneOf(state) ?? "plain")}"
    >${Texts.states[state] ?? state}</span
  >`

/** Returns the text with its codes marked: those in backticks, and those of rules in brackets. */
export const marked = (text: string): Html =>
  html`${text
    .replaceAll(/\([A-Z]+\d+(?:, [A-Z]+\d+)*\)/g, "`$&`")
    .split("`")
    .map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`

export const foundText = ({
  detail,
  fix,
  message
}: Pick<TalliedCause["finding"], "detail" | "fix" | "message">): Html =>
  html`<p class="found">
    <strong>${marked(message)}</strong>${detail === undefined ? "" : ` (${Texts.dated(detail)})`}<br />${marked(fix)}
  </p>`

export const time = (at: InstantText.Instant): string =>
  InstantText.format(at)
    .replace("T", " ")
    .replace(/([+-]\d\d:\d\d|Z)$/, " $1")

export const clock = (at: InstantText.Instant): string => /T(\d\d:\d\d:\d\d)/.exec(InstantText.format(at))?.[1] ?? ""

/** Returns a time in the zone of the page: `2 Jan 2026, 11:05:17`. */
export const moment = (at: DateTime.DateTime, zone: DateTime.TimeZone): string => {
  const own = DateTime.setZone(at, zone)
  return `${Texts.day(DateTime.formatIsoDate(own))}, ${clock(own)}`
}

/** Returns an amount with thousands separators: `8,439.50`. */
export const figureOf = (money: Money.Money): string => Money.formatGrouped(money).replace("-", "−")

export const figureOrBlank = (money: Money.Money | null): string => (money === null ? "" : figureOf(money))

export const amount = (currency: string | null, total: Money.Money | null): string =>
  currency === null || total === null ? "" : `${currency} ${figureOf(total)}`

export const figures = (counts: ImportSummary.ImportSummary["counts"]): Html =>
  html`<ul class="figures">
    ${Object.entries(counts).map(([state, count]) => html`<li><strong>${(count ?? 0).toLocaleString("en")}</strong> ${stateBadge(state)}</li>`)}
  </ul>`

export const kindOf = (kind: ImportSummary.Total["kind"], count: number): string =>
  `${count.toLocaleString("en")} ${Texts.kinds[kind]?.[count === 1 ? 0 : 1] ?? kind}`

const mono = (text: string) => ({ text, look: "mono" }) as const

/** Returns the figures of a finding, unless they only repeat the cell. */
export const figuresOf = (detail: string | undefined, text = ""): string =>
  detail === undefined || detail === text || detail === JSON.stringify(text) ? "" : detail

export const cause = ({ count, finding, rows }: TalliedCause, shown: number = rows.length): Html =>
  html`<section class="cause">
    <h3>${finding.message} <span class="soft">(${count.toLocaleString("en")})</span></h3>
    <p class="small"><code>${finding.code}</code></p>
    ${table(
      finding.message,
      [Texts.word.number, mono(texts.place), mono(Texts.word.inFile), texts.figures],
      rows.slice(0, shown).map(({ finding: { at, detail }, number }) => {
        const column = at?.columnName === undefined ? "" : ` (${at.columnName})`
        const cell = at?.text ?? ""
        return [
          number || texts.outside,
          `${at === undefined ? "" : Provenance.format(at)}${column}`,
          cell === "" ? "" : `«${cell.slice(0, 200)}»`,
          figuresOf(detail, cell)
        ]
      })
    )}
    ${when(count > Math.min(shown, rows.length), () => html`<p class="soft small">${(finding.severity === "error" ? texts.moreRows : texts.moreNumbers)(count - Math.min(shown, rows.length))}</p>`)}
    <p><span class="soft">${Texts.word.follows}:</span> ${marked(finding.consequence)}</p>
    <p><span class="soft">${Texts.word.toDo}:</span> ${marked(finding.fix)}</p>
  </section>`

export const causes = (title: string, tally: Tally, severity: "error" | "warning", shown?: number): Html => {
  const found = tally.causes(severity)
  return card(
    title,
    found.length > 0 &&
      html`${found.map((one) => cause(one, shown))}
      ${when(tally.beyond > 0, () => html`<p class="soft">${texts.otherCauses(tally.beyond)}</p>`)}`
  )
}

export const skipped = (found: ReadonlyArray<SkippedTally>): Html =>
  card(
    Texts.states.Skipped,
    found.length > 0 &&
      found.map(
        ({ count, numbers, reason }) =>
          html`<h3>${reason} <span class="soft">(${count.toLocaleString("en")})</span></h3>
            <p class="small">
              ${numbers.join(", ")} ${count > numbers.length ? texts.moreNumbers(count - numbers.length) : ""}
            </p>`
      )
  )

export const dated = ({ day, receiptDate }: ImportedDocument.ImportedDocument): string =>
  receiptDate === null ? (day ?? "") : receiptDate === "at-submission" ? "" : time(receiptDate)

export const receipt = (document: ImportedDocument.ImportedDocument): Html => {
  const { currency, kind, number, proof, source, state, text, total, verificationCode } = document
  const name = kind === null ? "" : (Texts.kinds[kind]?.[0] ?? kind)
  return html`<li>
    ${QrCode.picture(proof?.qrCodeUrl ?? null)}
    <div class="about">
      <h3>${number || (document.id ?? "")}</h3>
      <p>${stateBadge(state)}</p>
      <p>${amount(currency, total)} <span class="soft">${name}</span></p>
      <p class="small"><bdi>${document.buyer ?? ""}</bdi></p>
      ${when(verificationCode !== null, () => html`<p class="small"><span class="soft">${Texts.word.verification}</span> <code>${verificationCode}</code></p>`)}
      <p class="small soft">${dated(document)}</p>
      ${when(text !== null && state !== "Fiscalised", () => html`<p class="small">${text}</p>`)}
      <p class="small soft mono">${Provenance.format(source)}</p>
    </div>
  </li>`
}

type ImportSettings = Pick<ImportRecord.ImportRecord, "adapter" | "files" | "book" | "settings">

export const used = (destinations: ReadonlyArray<Destination.Destination>, record: ImportSettings | null): Html =>
  card(
    texts.used,
    facts([
      ...destinations.flatMap(({ account, lane, taxpayer }) => [
        [Texts.word.account, account] as const,
        [Texts.word.device, lane] as const,
        [texts.taxpayer, taxpayer] as const
      ]),
      ...(record === null ? [] : madeOf(record))
    ])
  )

/**
 * Lists cells read differently from the file. The entries come from a stored record of another run,
 * so their types are not guaranteed.
 */
export const corrections = ({ settings }: Pick<ImportSettings, "settings">): Html => {
  const kept = Array.isArray(settings["corrections"]) ? (settings["corrections"] as ReadonlyArray<unknown>) : []
  const entries = kept.flatMap((one) =>
    typeof one === "object" && one !== null ? [one as Readonly<Record<string, unknown>>] : []
  )
  return card(
    texts.corrected,
    entries.length > 0 &&
      table(
        texts.corrected,
        [Texts.word.number, texts.place, mono(Texts.word.inFile), mono(Texts.word.sentAs), Texts.word.by],
        entries.map(({ at, by, columnName, file, from, line, number, to }) => [
          String(number),
          `${String(file)}:${String(line)}, ${String(columnName)}`,
          String(from),
          String(to),
          `${String(by)}, ${String(at).slice(0, 16).replace("T", " ")} UTC`
        ])
      )
  )
}

const madeOf = ({ adapter, book, files, settings }: ImportSettings) => {
  const shown = Object.entries(settings).filter(([name]) => name !== "corrections")
  const file = (what: string, { bytes, name, sha256 }: ImportRecord.FileRecord) =>
    [
      what,
      html`${name}, ${texts.bytes(bytes)}<br /><span class="soft small">${texts.hash}</span> <code>${sha256}</code>`
    ] as const
  return [
    ...files.map((one) => file(texts.file, one)),
    [texts.read, adapter] as const,
    [
      texts.settings,
      shown.length === 0
        ? texts.noSettings
        : html`<ul class="plain-list">
            ${shown.map(([name, value]) => html`<li><code>${name}</code> ${typeof value === "string" ? value : JSON.stringify(value)}</li>`)}
          </ul>`
    ] as const,
    ...(book === null ? [] : [file(texts.book, book)])
  ]
}
