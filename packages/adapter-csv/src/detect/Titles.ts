/**
 * Titles above a table: the period, the currency, the tax and the unit that they state. Names of
 * sheets and files state all of these but the period.
 */
import { type Adapter, type SourceDocument, StatedWords } from "@fiscal-connector/core/adapter"
import type { Settings } from "../columns/Settings.ts"
import * as DateForm from "../values/DateForm.ts"

const tax = "(?:sales )?(?:vat|tax(?:es)?|gst|mwst|ust|umsatzsteuer|tva|iva|btw)"
const basisOf = (before: string, after: string): RegExp =>
  new RegExp(
    String.raw`(?:^|[^\p{L}])(?:(?:${before})\.?\s+(?:of\s+|any\s+)?${tax}|${tax}[\s-]+(?:${after}))(?:$|[^\p{L}])`,
    "iu"
  )
const within = basisOf(
  "incl|inkl|including|inclusive|includes?|inklusive|mit|con|com|met|y compris",
  "incl|included|inclusive|inkl|inklusive|comprises?|incluidos?|inclu[íi]d[oa]s?|inclus[oa]s?|inbegrepen"
)
const without = basisOf(
  "excl|exkl|excluding|exclusive|excludes?|exklusive|without|before|net of|ohne|sin|sem|senza|zonder|hors",
  "excl|excluded|exclusive|exkl|exklusive|esclus[oa]|exclu[íi]d[oa]s?"
)
const denied = /(?:^|\s)(?:not|nicht|niet|non|ne|no|não)(?:\s|$)/i

const basisIn = (text: string): "inclusive" | "exclusive" | undefined => {
  const [net, gross] = [without.test(text), within.test(text)]
  return net === gross || denied.test(text) ? undefined : net ? "exclusive" : "inclusive"
}

const currency =
  /(?:^|[^\p{L}])(?:(?:currency|währung|devise|monnaie|moneda|moneta|divisa|valuta|moeda|geldeenheid)[\s:=-]{1,3}|(?:in|en|em|(?:all )?amounts?:) )(?<code>[A-Z]{3})(?:$|[^\p{L}])/iu

const currencyIn = (text: string): string | undefined => {
  const code = currency.exec(text)?.groups?.["code"]
  return code !== undefined && StatedWords.isCurrencyCode(code) ? code : undefined
}

const ordinary = /^(?:all|amd|bob|cop|cup|gel|mad|mop|pen|php|ron|top|try)$/i

const codeInName = (name: string): string | undefined => {
  const codes = name
    .split(/[^\p{L}]+/u)
    .map((part) => part.toUpperCase())
    .filter((part) => StatedWords.isCurrencyCode(part) && !ordinary.test(part))
  return new Set(codes).size === 1 ? codes[0] : undefined
}

const unit =
  /(?:^|[^\p{L}\d])(?:(?:thousands|millions|tausend|tsd|mio|milliers|milhares|migliaia|duizenden|tys|teur|tusd)(?:$|[^\p{L}])|(?:en|in) (?:miles|k€|t€|mille|thousand|million|cents?|centimes|centavos|centesimi|100s?|1[ .,’']?000s?|000s?)(?:$|[^\p{L}\d])|[x×] ?1[ .,’']?000(?:$|[^\d])|['’]000|\(000s?\))/iu

const languages = ["en", "de", "fr", "es", "pt", "nl", "it", "pl", "af"]

const months: ReadonlyMap<string, number> = new Map(
  languages.flatMap((language) =>
    (["long", "short"] as const).flatMap((length) => {
      const format = new Intl.DateTimeFormat(language, { month: length, timeZone: "UTC" })
      return Array.from({ length: 12 }, (_, i) => {
        const name = format.format(Date.UTC(2026, i, 15))
        return [name.toLowerCase().replace(/\.$/, ""), i + 1] as const
      })
    })
  )
)

const dash = String.raw`\s{0,3}(?:-|–|—|to|until|through|bis|au|à|al?|até|tot|do)\s{0,3}`
const monthsOnly = new RegExp(
  String.raw`(?<before>\d[\s.]{0,2})?(?<![\p{L}])(?<from>\p{L}{3,12})\.?(?:${dash}(?<to>\p{L}{3,12})\.?)?\s{1,3}(?:de )?(?<year>(?:19|20)\d{2})(?!\d)`,
  "giu"
)
const day = String.raw`\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}`
const days = new RegExp(String.raw`(?<!\d)(?<from>${day})${dash}(?<to>${day})(?!\d)`, "iu")

export const isPeriod = (part: string): boolean => months.has(part)

/** `sales 2026-01.csv` and `sales Feb.xlsx` are `sales #`: without ending, numbers and months. */
export const family = (file: string): string =>
  file
    .slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1)
    .replace(/(?:\.[a-z]\w{0,4}){1,2}$/i, "")
    .toLowerCase()
    .replaceAll(/\p{L}+/gu, (part) => (months.has(part) ? "#" : part))
    .replaceAll(/[\d#]+(?:[-_. ]+[\d#]+)*/g, "#")

/** Returns the key of an answer about a statement of a title: the answer is for this file. */
export const titleKey = (file: string, statement: string): string => `${statement} in ${family(file)}`

export const answerIn = (titles: Settings["titles"], file: string, statement: string) =>
  titles?.[titleKey(file, statement)] ?? titles?.[statement]

/** Patterns of this file, for the proof that each takes linear time. */
export const built: ReadonlyArray<RegExp> = [within, without, monthsOnly, days]

const open =
  /(?:^|[^\p{L}])(?:since|from|starting|beginning|founded|established|generated|printed|created|exported|seit|ab|depuis|desde|dal|sinds|vanaf|od|erstellt|gedruckt)[\s:.]{0,3}$/iu

const monthsIn = (text: string): string | undefined => {
  const found = [...text.matchAll(monthsOnly)].flatMap(({ groups = {}, index }) => {
    if (groups["to"] === undefined && open.test(text.slice(Math.max(0, index - 30), index))) return []
    const last = months.get((groups["to"] ?? groups["from"] ?? "").toLowerCase())
    const first = months.get((groups["from"] ?? "").toLowerCase())
    if (first === undefined || last === undefined || first > last || groups["before"] !== undefined) return []
    const end = new Date(Date.UTC(Number(groups["year"]), last, 0)).toISOString().slice(0, 10)
    return [`${groups["year"]}-${String(first).padStart(2, "0")}-01/${end}`]
  })
  return found.length === 1 ? found[0] : undefined
}

const daysIn = (text: string): string | undefined => {
  const { from = "", to = "" } = days.exec(text)?.groups ?? {}
  const read = (order: DateForm.DateOrder): ReadonlyArray<string> => {
    const style = { order, utc: false, year: undefined }
    const [first, last] = [from, to].map((one) => DateForm.written(one, style)?.day)
    return first === undefined || last === undefined || first > last ? [] : [`${first}/${last}`]
  }
  const periods = new Set([...read("dmy"), ...read("mdy")])
  return periods.size === 1 ? [...periods][0] : undefined
}

export interface Title {
  /** `row`: alone in a row below the header. */
  readonly place: "title" | "row" | "sheet" | "file"
  readonly text: string
}

export interface TitleFacts {
  /** Statements that each document must agree with. */
  readonly words: ReadonlyArray<SourceDocument.SourceWord>
  readonly basis: "inclusive" | "exclusive" | undefined
}

type Word = Pick<SourceDocument.SourceWord, "subject" | "text" | "means">

const wordsIn = ({ place, text }: Title): ReadonlyArray<Word> => {
  const isName = place === "sheet" || place === "file"
  const [basis, code] = [basisIn(text), isName ? codeInName(text) : currencyIn(text)]
  const period = place === "title" ? (daysIn(text) ?? monthsIn(text)) : undefined
  return [
    ...(basis === undefined
      ? []
      : [
          { subject: "basis", text: `${basis === "inclusive" ? "including" : "excluding"} tax`, means: basis } as const
        ]),
    ...(code === undefined ? [] : [{ subject: "currency", text: code } as const]),
    ...(period === undefined ? [] : [{ subject: "period", text: period, means: "stated" } as const])
  ]
}

export const factsOf = (file: string, titles: ReadonlyArray<Title>, { titles: answers }: Settings): TitleFacts => {
  const words = titles.flatMap((title) =>
    wordsIn(title).flatMap((word): ReadonlyArray<SourceDocument.SourceWord> => {
      const statement = `title ${word.text}`
      if (answerIn(answers, file, statement) !== undefined) return []
      return [
        { ...word, name: title.text, answers: [{ settings: { titles: { [titleKey(file, statement)]: "unused" } } }] }
      ]
    })
  )
  const bases = new Set(words.flatMap(({ subject, means }) => (subject === "basis" ? [means] : [])))
  return {
    words,
    basis: bases.size === 1 ? (words.find(({ subject }) => subject === "basis")!.means as "inclusive") : undefined
  }
}

const unitKey = "title thousands"

const unitFix = "Export the amounts in full"

export const unitOf = (
  file: string,
  titles: ReadonlyArray<Title>,
  { titles: answers }: Settings
): { readonly question: Adapter.Question } | { readonly problem: string; readonly fix: string } | undefined => {
  const title = titles.find(({ text }) => unit.test(text))
  const answered = answerIn(answers, file, unitKey)
  if (title === undefined || answered === "unused") return undefined
  const problem = `the ${title.place} ${JSON.stringify(title.text.slice(0, 100))} states that amounts are in thousands or millions`
  if (answered !== undefined) return { problem, fix: unitFix }
  const answer = (meant: "stop" | "unused") => ({ settings: { titles: { [titleKey(file, unitKey)]: meant } } })
  return {
    question: {
      id: unitKey,
      subject: "contents",
      file,
      question: `${problem}. Which amounts are these?`,
      readings: [
        { id: "stop", reading: `not amounts in full: stop. ${unitFix}`, examples: [], answer: answer("stop") },
        { id: "unused", reading: "amounts in full, as written", examples: [], answer: answer("unused") }
      ],
      proposal: "stop"
    }
  }
}
