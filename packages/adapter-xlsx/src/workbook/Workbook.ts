/** Contents of a workbook: sheets, cell formats, shared texts, and the date system. */
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
  /** Sheets with cells; chart sheets are excluded. */
  readonly sheets: ReadonlyArray<Sheet>
  readonly dates: DateSystem
  /** `when opened`: saved values of formulas are not the last calculated values. */
  readonly calculated: "saved" | "when opened"
  /** Formats by the index used in cells; undefined if the workbook does not define a format. */
  readonly formats: ReadonlyArray<NumberFormat.NumberFormat | undefined>
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
  return {
    archive,
    sheets,
    dates,
    calculated,
    formats: styles === undefined ? [] : await formatsOf(archive, styles),
    styled: styles === undefined ? "not at all" : "by a part",
    texts: only("sharedStrings")
  }
}

const inside = ({ external, target }: Parts.Relation, what: string): string => {
  if (external)
    throw new Refusal(`its part for ${what} lies outside of it (${target})`, "Save a copy that holds all of it")
  return target
}

const most = { sheets: 1024, formats: 1 << 16 }

interface Named {
  readonly name: string
  readonly id: string
  readonly visible: boolean
}

const isOn = (value: string | undefined): boolean => value === "1" || value === "true" || value === "on"

const book = async (archive: Archive, part: string) => {
  const named: Array<Named> = []
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

const formatsOf = async (archive: Archive, part: string): Promise<Workbook["formats"]> => {
  const codes = new Map<number, string>()
  const ids: Array<number> = []
  let inCells = false
  await XmlPart.read(part, main, archive.bytes(part), {
    open: (name, attributes) => {
      if (name === "cellXfs") inCells = true
      else if (name === "numFmt") codes.set(Number(attributes["numFmtId"]), attributes["formatCode"] ?? "")
      else if (name === "xf" && inCells) ids.push(Number(attributes["numFmtId"] ?? 0))
      if (ids.length > most.formats || codes.size > most.formats) throw tooMuch("it has too many formats")
    },
    close: (name) => {
      if (name === "cellXfs") inCells = false
    },
    text: () => undefined
  })
  return ids.map((id) => NumberFormat.of(id, codes.get(id)))
}

/** Reads the texts shared by cells. */
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
