/**
 * Reads one file of the CSV corpus as a workbook: read correctly, asked fewer questions, or guessed
 * wrong.
 */
import { judge, judgeBy, type Trial, trialOf, type Verdict } from "../csv/Trial.ts"
import type { Style } from "../csv/Rendering.ts"
import * as Random from "../Random.ts"
import type { InputFile } from "../../packages/core/src/source/Adapter.ts"
import { Effect, Stream } from "effect"
import { adapter } from "../../packages/adapter-xlsx/src/XlsxAdapter.ts"
import * as OtherWriter from "../../packages/adapter-xlsx/test/OtherWriter.ts"
import * as WorkbookParts from "../../packages/adapter-xlsx/test/WorkbookParts.ts"

export type Kind = "texts" | "values"

/**
 * Returns the style with the only number form that needs no answer, and the money sign in the cell
 * format.
 */
const canonical = (style: Style): Style => ({
  ...style,
  dates: "iso",
  decimal: "point",
  quantityDecimal: "point",
  groups: "",
  sign: "",
  places: "trimmed",
  padding: 2,
  yearDigits: 4
})

const date = 1
const quantity = 5
const numbers: ReadonlySet<number> = new Set([quantity, 6, 7, 9])
const cellsOfValues = (style: Style, random: Random.Random) => (row: ReadonlyArray<string>) =>
  row.map((text, column): WorkbookParts.Cell => {
    if (text === "") return undefined
    if (column === date && /^\d{4}-\d{2}-\d{2}$/.test(text)) return { date: text }
    if (numbers.has(column) && /^-?\d+(\.\d+)?$/.test(text)) {
      return { number: random.chance(0.5) ? asStored(text) : text, ...formatOf(style, column) }
    }
    return { text }
  })

/** Returns a double with 17 digits, as some programs write it. */
const asStored = (text: string): string =>
  Number(text) === 0
    ? text
    : Number(text)
        .toPrecision(17)
        .replace(/\.?0+$/, "")

const formatOf = ({ places, sign }: Style, column: number) =>
  sign !== "" && column !== quantity
    ? { format: `"${sign}"#,##0.00` }
    : places === "fixed"
      ? { format: "#,##0.00" }
      : {}

const cellsOfTexts = (row: ReadonlyArray<string>) =>
  row.map((text): WorkbookParts.Cell => (text === "" ? undefined : { text }))

/** Returns the trial's workbook, by one of two writers. */
export const workbookOf = (trial: Trial, kind: Kind, random: Random.Random): Promise<Buffer> => {
  const rows =
    kind === "texts"
      ? trial.rowsIn(trial.style).map(cellsOfTexts)
      : trial.rowsIn(canonical(trial.style)).map(cellsOfValues(trial.style, random))
  const variant: WorkbookParts.Variant = {
    strings: random.pick(["shared", "inline"]),
    dates: random.pick(["1900", "1900", "1904"]),
    prefix: random.pick(["", "", "x:"]),
    names: random.pick(["stated", "stated", "left out"])
  }
  const sheets: ReadonlyArray<WorkbookParts.SheetSpec> = [
    ...(random.chance(0.2) ? [{ name: "Empty", rows: [] }] : []),
    { name: random.pick(["Sheet1", "Sales & more", "März"]), rows },
    ...(random.chance(0.1) ? [{ name: "Notes", rows: [[{ text: "ignore me" }]], state: "hidden" as const }] : [])
  ]
  return random.chance(0.5)
    ? WorkbookParts.workbook(sheets, variant)
    : Promise.resolve(OtherWriter.workbook(sheets, variant))
}

export const fileOf = (bytes: Buffer, name = "in.xlsx"): InputFile => ({ name, bytes: Stream.make(bytes) })

/** Judges the reading of the workbook; a question that the CSV file does not raise is wrong. */
export const judgeWorkbook = (seed: number): Effect.Effect<{ readonly kind: Kind; readonly verdict: Verdict }> =>
  Effect.gen(function* () {
    const random = Random.make(seed ^ 0x5bd1e995)
    const trial = trialOf(seed)
    const kind = random.pick<Kind>(["texts", "values"])
    const bytes = yield* Effect.promise(() => workbookOf(trial, kind, random))
    const found = yield* judgeBy(trial, (options) => withoutOthers(adapter.read({ files: [fileOf(bytes)] }, options)))
    if (found.is !== "asked") return { kind, verdict: found }
    const csv = yield* judge(trial)
    const before = csv.is === "asked" ? csv.about : []
    const more = found.about.filter((about) => !before.includes(about) && !isOfMarks(about, before))
    if (more.length > 0)
      return { kind, verdict: { is: "wrong", why: `asks about ${more.join(", ")}, which CSV does not` } }
    return { kind, verdict: found }
  })

/** Removes findings about the workbook as a whole, which are not documents. */
const withoutOthers = <A extends { readonly _tag: string }, E>(readings: Stream.Stream<A, E>): Stream.Stream<A, E> =>
  Stream.filter(
    readings,
    ({ _tag, ...rest }) =>
      !(_tag === "Finding" && "code" in rest && /^(?:XLSX_|STATEMENTS_NOT_READ$)/.test(String(rest.code)))
  )

const isOfMarks = (about: string, before: ReadonlyArray<string>): boolean =>
  /mark/i.test(about) && before.some((other) => /mark/i.test(other))
