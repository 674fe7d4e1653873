import { ExportStatements, type Finding, type Statement } from "@fiscal-connector/core/adapter"
import { decimalOf } from "../json/DecimalText.ts"
import { JsonNumber } from "../json/Json.ts"
import { type Cell, Foreign, isList, isMembers, type CellMembers, reasonsKey } from "./Cell.ts"

/** Fields of one object: a record that generates names would fill the memory. */
const mostFields = 2000
const deepest = 12

const isIndex = (token: string): boolean => {
  const first = token.charCodeAt(0)
  return first >= 48 && first <= 57 && /^\d+$/.test(token)
}

export class FieldRecord {
  private readonly inner = new Map<string, FieldRecord>()
  private treatment: "read" | "held" | undefined = undefined
  private samples: Array<string> = []
  private areNumbers = true

  at(name: string): FieldRecord {
    const known = this.inner.get(name)
    if (known !== undefined) return known
    const made = new FieldRecord()
    if (this.inner.size < mostFields) this.inner.set(name, made)
    return made
  }

  below(tokens: ReadonlyArray<string>): FieldRecord {
    return tokens.reduce<FieldRecord>((found, token) => (isIndex(token) ? found : found.at(token)), this)
  }

  /** Records that the adapter reads the field, or that core compares it with what is read. */
  mark(treatment: "read" | "held"): void {
    if (this.treatment !== "read") this.treatment = treatment
  }

  reads(name: string): boolean {
    return this.inner.get(name)?.treatment === "read"
  }

  take({ keys, values }: CellMembers, isNone: (cell: Cell) => boolean, depth = 0): void {
    for (let i = 0; i < keys.length; i++)
      if (keys[i] !== reasonsKey) this.at(keys[i]!).takeCell(values[i]!, isNone, depth)
  }

  private takeCell(cell: Cell, isNone: (cell: Cell) => boolean, depth: number): void {
    if (isMembers(cell)) {
      if (depth < deepest) this.take(cell, isNone, depth + 1)
    } else if (isList(cell)) for (const element of cell) this.takeCell(element, isNone, depth)
    else if (this.treatment !== "read" && this.samples.length < ExportStatements.mostSamples && !isNone(cell)) {
      const text = textOf(cell)
      if (text === "" || this.samples.includes(text)) return
      this.samples.push(text)
      this.areNumbers &&= decimalOf(text) !== undefined
    }
  }

  statements(
    path: string | undefined,
    reasonOf: (path: string) => string | undefined
  ): ReadonlyArray<Statement.Statement> {
    return Array.from(this.inner, ([name, field]) => {
      const whole = path === undefined ? name : path === "" ? name : `${path}/${name}`
      return [...field.own(whole, reasonOf(whole)), ...field.statements(whole, reasonOf)]
    }).flat()
  }

  private own(name: string, reason: string | undefined): ReadonlyArray<Statement.Statement> {
    const { areNumbers, samples, treatment } = this
    this.samples = []
    this.areNumbers = true
    if (treatment === "read") return [{ place: "field", name, samples: [], values: "texts", treatment }]
    if (samples.length === 0) return []
    const isOne = samples.length === 1 && (!areNumbers || /^[01](?:\.0*)?$/.test(samples[0]!))
    return [
      {
        place: "field",
        name,
        samples,
        values: isOne ? "constant" : areNumbers ? "numbers" : "texts",
        treatment: treatment ?? (reason === undefined ? "named" : "harmless"),
        ...(treatment === undefined && reason !== undefined && { reason })
      }
    ]
  }
}

const textOf = (cell: Cell): string => {
  if (typeof cell === "string") return ExportStatements.sampleOf(cell.trim())
  if (typeof cell === "boolean") return String(cell)
  if (cell instanceof JsonNumber) return ExportStatements.sampleOf(cell.text)
  return cell instanceof Foreign ? String(cell.value) : ""
}

/** Listed are `list/field`, `field` in any list, and a star before `/field` in any object. */
export const reasons = (harmless: { readonly [reason: string]: string } = {}) => {
  const listed = new Map(
    Object.entries(harmless).flatMap(([reason, paths]) =>
      paths.split("|").map((path) => [path.toLowerCase(), reason] as const)
    )
  )
  return (name: string): string | undefined => {
    const path = name.toLowerCase()
    return (
      listed.get(path) ??
      listed.get(path.slice(path.indexOf("/") + 1)) ??
      listed.get(`*${path.slice(path.lastIndexOf("/"))}`)
    )
  }
}

export const finding = (
  fields: FieldRecord,
  file: string,
  reasonOf: (path: string) => string | undefined
): Finding.Finding | undefined => ExportStatements.finding(fields.statements(undefined, reasonOf), { file })
