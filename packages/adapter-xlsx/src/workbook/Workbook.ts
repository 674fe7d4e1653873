import * as NumberFormat from "../cell/NumberFormat.ts"
import type { DateSystem } from "../cell/SerialDate.ts"
import { damaged, Refusal, tooMuch } from "../Refusal.ts"
import * as XmlPart from "../xml/XmlPart.ts"
import type { Archive } from "../zip/Archive.ts"
import { RichText } from "./CellText.ts"
import * as Parts from "./Parts.ts"
import { SharedStrings } from "./SharedStrings.ts"

export const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

export interface Sheet {
  readonly name: string
  readonly part: string
  readonly visible: boolean
}

export interface Workbook {
  readonly archive: Archive
  readonly sheets: ReadonlyArray<Sheet>
  readonly dates: DateSystem
  /** `when opened`: saved values of formulas are not the last calculated values. */
  readonly calculated: "saved" | "when opened"
  readonly formats: ReadonlyArray<NumberFormat.NumberFormat | undefined>
  readonly shown: ReadonlyArray<{ readonly words: string | undefined; readonly font: "struck" | "plain" }>
  readonly styled: "by a part" | "not at all"
  readonly texts: string | undefined
}

/** Opens a workbook. Rejects with a `Refusal` if the archive is not a workbook of this format. */
export const open = async (archive: Archive): Promise<Workbook> => {
  const part = await Parts.main(archive)
  const relations = await Parts.relations(archive, part)
  const { calculated, dates, named } = await book(archive, part)
  const sheets = named.flatMap(({ id, ...sheet }): ReadonlyArray<Sheet> => {
    const relation = relations.find((other) => other.id === id)
    if (relation === undefined) throw damaged(`its sheet "${sheet.name}" leads to no part`)
    return relation.type === "worksheet" ? [{ ...sheet, part: inside(relation, sheet.name) }] : []
  })
  const only = (type: string) => {
    const relation = relations.find((relation) => relation.type === type)
    return relation && inside(relation, type)
  }
  const styles = only("styles")
  const known = styles === undefined ? { formats: [], shown: [] } : await stylesOf(archive, styles)
  return {
    archive,
    sheets,
    dates,
    calculated,
    ...known,
    styled: styles === undefined ? "not at all" : "by a part",
    texts: only("sharedStrings")
  }
}

const inside = ({ external, target }: Parts.Relation, what: string): string => {
  if (external)
    throw new Refusal(`its part for ${what} lies outside of it (${target})`, "Save a copy that holds all of it")
  return target
}

const most = { sheets: 1024, formats: 1 << 16, comments: 1 << 14 }

interface NamedSheet {
  readonly name: string
  readonly id: string
  readonly visible: boolean
}

const isOn = (value: string | undefined): boolean => value === "1" || value === "true" || value === "on"

const book = async (archive: Archive, part: string) => {
  const named: Array<NamedSheet> = []
  let dates: DateSystem = "1900"
  let calculated: Workbook["calculated"] = "saved"
  let root = ""
  await XmlPart.read(part, main, archive.bytes(part), {
    open: (name, attributes) => {
      root ||= name
      if (name === "workbookPr") dates = isOn(attributes["date1904"]) ? "1904" : "1900"
      else if (name === "calcPr" && isOn(attributes["fullCalcOnLoad"])) calculated = "when opened"
      else if (name === "sheet") {
        const id = Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1] ?? ""
        const { name = "", state = "visible" } = attributes
        if (named.push({ name, id, visible: state === "visible" }) > most.sheets)
          throw tooMuch("it has too many sheets")
      }
    },
    close: () => undefined,
    text: () => undefined
  })
  if (root !== "workbook") throw damaged(`its part ${part} is not a workbook`)
  return { named, dates, calculated }
}

const stylesOf = async (archive: Archive, part: string): Promise<Pick<Workbook, "formats" | "shown">> => {
  const codes = new Map<number, string>()
  const fonts: Array<"struck" | "plain"> = []
  const styles: Array<{ readonly id: number; readonly font: number }> = []
  let within: "" | "cellXfs" | "fonts" = ""
  await XmlPart.read(part, main, archive.bytes(part), {
    open: (name, attributes) => {
      if (name === "cellXfs" || name === "fonts") within = name
      else if (name === "numFmt") codes.set(Number(attributes["numFmtId"]), attributes["formatCode"] ?? "")
      else if (name === "font" && within === "fonts") fonts.push("plain")
      else if (name === "strike" && within === "fonts" && isOn(attributes["val"] ?? "1"))
        fonts[fonts.length - 1] = "struck"
      else if (name === "xf" && within === "cellXfs")
        styles.push({ id: Number(attributes["numFmtId"] ?? 0), font: Number(attributes["fontId"] ?? 0) })
      if (styles.length > most.formats || codes.size > most.formats || fonts.length > most.formats)
        throw tooMuch("it has too many formats")
    },
    close: (name) => {
      if (name === within) within = ""
    },
    text: () => undefined
  })
  return {
    formats: styles.map(({ id }) => NumberFormat.of(id, codes.get(id))),
    shown: styles.map(({ font, id }) => ({
      words: NumberFormat.wordsOf(codes.get(id) ?? ""),
      font: fonts[font] ?? "plain"
    }))
  }
}

export const comments = async (
  { archive }: Workbook,
  { part }: Sheet
): Promise<ReadonlyArray<readonly [cell: string, text: string]>> => {
  const found: Array<readonly [string, string]> = []
  if (!archive.has(Parts.relationsPart(part))) return found
  const rich = new RichText()
  let cell = ""
  for (const { external, target, type } of await Parts.relations(archive, part)) {
    if (type !== "comments" || external || !archive.has(target)) continue
    await XmlPart.read(target, main, archive.bytes(target), {
      open: (name, attributes) => {
        if (name === "comment") cell = attributes["ref"] ?? ""
        if (name === "text") rich.begin()
        else rich.open(name)
      },
      close: (name) => {
        if (name !== "text") return rich.close(name)
        if (found.push([cell, rich.end()]) > most.comments) throw tooMuch("it has too many comments")
      },
      text: (text) => rich.text(text)
    })
  }
  return found
}

export const sharedStrings = async ({ archive, texts }: Workbook): Promise<SharedStrings> => {
  const strings = new SharedStrings()
  if (texts === undefined) return strings
  const rich = new RichText()
  await XmlPart.read(texts, main, archive.bytes(texts), {
    open: (name) => (name === "si" ? rich.begin() : rich.open(name)),
    close: (name) => (name === "si" ? strings.add(rich.end()) : rich.close(name)),
    text: (text) => rich.text(text)
  })
  return strings
}
