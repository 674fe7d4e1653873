/**
 * Fixtures of every adapter with one column or field under an unknown name, or with one more, and
 * with values in several written forms.
 */
import { adapter as csv, type CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as erpnextLike } from "@fiscal-connector/adapter-erpnext-like"
import { adapter as odooLike } from "@fiscal-connector/adapter-odoo-like"
import { adapter as quickBooksLike } from "@fiscal-connector/adapter-quickbooks-like"
import { adapter as xeroLike } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { refuses } from "../../packages/core/src/finding/Finding.ts"
import type { Adapter, Input } from "../../packages/core/src/source/Adapter.ts"
import { ExportStatements } from "../../packages/core/src/source/ExportStatements.ts"
import * as Readings from "../../packages/core/src/source/Readings.ts"
import { Effect, Stream } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as Detection from "../../packages/adapter-csv/src/detect/Detection.ts"
import { Scanner } from "../../packages/adapter-csv/src/scan/Scanner.ts"
import * as OtherWriter from "../../packages/adapter-xlsx/test/OtherWriter.ts"
import { usual } from "../../packages/adapter-xlsx/test/WorkbookParts.ts"

/** Name that no layout and no vocabulary knows. */
export const unknown = "Qzx Vrb"

/** Written forms: the value itself, an amount, a percent, an amount with a sign, a text. */
export const forms: ReadonlyArray<(own: string, nth: number) => string> = [
  (own) => own,
  (_, nth) => `${nth + 3}.17`,
  (_, nth) => `${nth + 3}%`,
  (_, nth) => `$${nth + 3}.17`,
  (_, nth) => `qzx ${nth}`
]

/** Treatment of the column, or how the export is stopped or loses documents because of it. */
export type Outcome = "read" | "held" | "harmless" | "answered" | "named" | "asked" | "refused" | "blank" | "silent"

export interface Case {
  readonly name: string
  readonly change: "renamed" | "added"
  readonly form: number
  readonly outcome: Effect.Effect<Outcome>
}

const bytesOf = (text: string | Uint8Array) =>
  Stream.succeed(typeof text === "string" ? new TextEncoder().encode(text) : text)

interface Read {
  /** Documents without a refusal by the adapter. */
  readonly sound: number
  readonly outcome: Outcome
  /** Places of the documents: file and JSON pointer. */
  readonly documents: ReadonlyArray<readonly [file: string, pointer: string]>
}

const isUnknown = (name: string): boolean => name.split("/").includes(unknown)

/** Reads an export, and returns what happened to the unknown name. */
const readOf = <Options>(adapter: Adapter<Options>, input: Input, options: Options): Effect.Effect<Read> =>
  Readings.entering(adapter.read(input, options)).pipe(
    Stream.runCollect,
    Effect.map((readings): Read => {
      const statements = new ExportStatements()
      let sound = 0
      // a file without a named statement has no record
      let held: Outcome = "silent"
      const documents: Array<readonly [string, string]> = []
      for (const { reading } of readings) {
        if (reading._tag === "Finding" && reading.statements !== undefined) statements.add(reading)
        else if (reading._tag === "SourceDocument") {
          statements.take(reading)
          if (reading.words?.some(({ name }) => isUnknown(name)) === true) held = "held"
          const { file, pointer = "" } = reading.where([])
          documents.push([file, pointer])
          if (!reading.findings.some(refuses)) sound++
        }
      }
      const own = statements.findings(() => false).flatMap(({ statements: list = [] }) => list)
      const found = own.find(({ name }) => isUnknown(name))
      return { sound, outcome: found?.treatment ?? held, documents }
    }),
    Effect.orElseSucceed((): Read => ({ sound: 0, outcome: "asked", documents: [] }))
  )

const outcomeOf = (before: Effect.Effect<Read>, after: Effect.Effect<Read>): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const { outcome, sound } = yield* after
    if (outcome !== "silent") return outcome
    return sound === 0 || sound < (yield* before).sound ? "refused" : "silent"
  })

/** A table of a fixture, with the lines of titles before its header. */
interface Table {
  readonly name: string
  readonly options: CsvOptions
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly header: number
}

const golden = new URL("../../packages/adapter-csv/fixtures/golden/", import.meta.url)

const tableOf = (name: string): Effect.Effect<ReadonlyArray<Table>> =>
  Effect.gen(function* () {
    const at = (file: string) => new URL(`${name}/${file}`, golden)
    const options = existsSync(at("options.json"))
      ? (JSON.parse(readFileSync(at("options.json"), "utf8")) as CsvOptions)
      : {}
    const bytes = readFileSync(at("input.csv"))
    const { how } = yield* Detection.detect({ name: "in.csv", bytes: bytesOf(bytes) }, options)
    const rows: Array<ReadonlyArray<string>> = []
    let header = -1
    const scanner = new Scanner({ ...how.origin, ...how.start }, (record) => {
      if (record.line === how.headerLine) header = rows.length
      rows.push(record.cells())
    })
    scanner.write(bytes)
    scanner.finish()
    return [{ name, options, rows, header }]
  }).pipe(Effect.orElseSucceed(() => []))

const written = (rows: Table["rows"]): string =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\r\n")

const workbookOf = (rows: Table["rows"]): Uint8Array =>
  new Uint8Array(
    OtherWriter.workbook(
      [{ name: "Sheet1", rows: rows.map((row) => row.map((text) => (text === "" ? undefined : { text }))) }],
      usual
    ) as unknown as Buffer
  )

const readTable = (kind: "csv" | "xlsx", rows: Table["rows"], { options }: Table) =>
  kind === "csv"
    ? readOf(csv, { files: [{ name: "in.csv", bytes: bytesOf(written(rows)) }] }, options)
    : readOf(xlsx, { files: [{ name: "in.xlsx", bytes: bytesOf(workbookOf(rows)) }] }, options)

const casesOfTable = (table: Table, kind: "csv" | "xlsx"): ReadonlyArray<Case> => {
  const { header, name, rows } = table
  const width = rows[header]!.length
  const before = readTable(kind, rows, table)
  const cased = (change: Case["change"], cell: number, form: number): Case => ({
    name: `${kind} ${name} ${change === "added" ? "" : rows[header]![cell]}`.trim(),
    change,
    form,
    outcome: Effect.suspend(() => {
      let nth = 0
      const changed = rows.map((row, r) => {
        if (r < header || row.every((text) => text === "")) return row
        const own = row[cell] ?? ""
        const isBlank = r > header && (change === "renamed" ? own === "" || row.length !== width : row.length < width)
        const text = r === header ? unknown : isBlank ? own : forms[form]!(own || "x", nth++)
        return change === "renamed" ? row.map((one, c) => (c === cell ? text : one)) : [...row, text]
      })
      if (nth === 0) return Effect.succeed<Outcome>("blank")
      return outcomeOf(before, readTable(kind, changed, table))
    })
  })
  return forms.flatMap((_, form) => [
    ...rows[header]!.flatMap((name, cell) => (name === "" ? [] : [cased("renamed", cell, form)])),
    cased("added", width, form)
  ])
}

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  value !== null && typeof value === "object" && !Array.isArray(value)

/** Returns the paths of all fields below a value, without indices. */
const pathsIn = (value: Json, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => {
  if (Array.isArray(value)) return value.flatMap((each: Json) => pathsIn(each, path))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsIn(inner, [...path, key])])
}

const empty = (value: Json): boolean =>
  value === null ||
  value === false ||
  (typeof value === "string" && value.trim() === "") ||
  (typeof value === "object" && Object.values(value).every(empty))

/** Renames the field at a path everywhere, with values in a form. */
const renamed = (
  value: Json,
  [name, ...rest]: ReadonlyArray<string>,
  form: number,
  count: { filled: number }
): Json => {
  if (Array.isArray(value)) return value.map((each: Json) => renamed(each, [name!, ...rest], form, count))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== name) return [key, inner]
      if (rest.length > 0) return [key, renamed(inner, rest, form, count)]
      if (empty(inner)) return [unknown, inner]
      count.filled++
      return [unknown, typeof inner === "object" ? inner : forms[form]!(String(inner), count.filled)]
    })
  )
}

/** Adds a field to every object that has the field at a path. */
const added = (value: Json, [name, ...rest]: ReadonlyArray<string>, form: number, count: { filled: number }): Json => {
  if (Array.isArray(value)) return value.map((each: Json) => added(each, [name!, ...rest], form, count))
  if (!isObject(value) || !Object.hasOwn(value, name!)) return value
  if (rest.length > 0) return { ...value, [name!]: added(value[name!]!, rest, form, count) }
  return { ...value, [unknown]: forms[form]!("x", count.filled++) }
}

const systems = [
  { adapter: erpnextLike, name: "erpnext-like" },
  { adapter: odooLike, name: "odoo-like" },
  { adapter: quickBooksLike, name: "quickbooks-like" },
  { adapter: xeroLike, name: "xero-like" }
] as unknown as ReadonlyArray<{ readonly adapter: Adapter<object>; readonly name: string }>

interface JsonFixture {
  readonly adapter: Adapter<object>
  readonly name: string
  readonly options: object
  readonly files: ReadonlyArray<{ readonly name: string; readonly value: Json }>
}

const notExports = new Set(["facts.json", "options.json", "expected.json", "book.json"])

const fixturesOf = ({ adapter, name }: (typeof systems)[number]): ReadonlyArray<JsonFixture> => {
  const root = new URL(`../../packages/adapter-${name}/fixtures/`, import.meta.url)
  return readdirSync(root, { withFileTypes: true }).flatMap((folder): ReadonlyArray<JsonFixture> => {
    if (!folder.isDirectory()) return []
    const at = (file: string) => readFileSync(new URL(`${folder.name}/${file}`, root), "utf8")
    const names = readdirSync(new URL(`${folder.name}/`, root))
    try {
      const files = names.flatMap((file) =>
        file.endsWith(".json") && !notExports.has(file) ? [{ name: file, value: JSON.parse(at(file)) as Json }] : []
      )
      const options = names.includes("options.json") ? (JSON.parse(at("options.json")) as object) : {}
      return files.length === 0 ? [] : [{ adapter, name: `${name} ${folder.name}`, options, files }]
    } catch {
      // some fixtures are deliberately no JSON
      return []
    }
  })
}

/** Changes the value at a pointer. */
const at = (value: Json, [token, ...rest]: ReadonlyArray<string>, change: (value: Json) => Json): Json => {
  if (token === undefined) return change(value)
  if (Array.isArray(value)) return value.map((each: Json, i) => (String(i) === token ? at(each, rest, change) : each))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === token ? at(inner, rest, change) : inner])
  )
}

const tokensOf = (pointer: string): ReadonlyArray<string> =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))

/** Changes only records of documents: a skipped record or an envelope states no sale. */
const casesOfJson = ({ adapter, files, name, options }: JsonFixture): Effect.Effect<ReadonlyArray<Case>> =>
  Effect.gen(function* () {
    const read = (values: ReadonlyArray<Json>) =>
      readOf(
        adapter,
        { files: files.map((file, i) => ({ name: file.name, bytes: bytesOf(JSON.stringify(values[i])) })) },
        options
      )
    const own = files.map(({ value }) => value)
    const before = yield* read(own)
    const change = { renamed, added }
    const paths = new Map<string, ReadonlyArray<string>>()
    const inDocuments = (one: (value: Json) => Json) =>
      files.map((file) =>
        before.documents.reduce(
          (whole, [of, pointer]) => (of === file.name ? at(whole, tokensOf(pointer), one) : whole),
          file.value
        )
      )
    inDocuments((value) => {
      for (const path of pathsIn(value)) paths.set(path.join("/"), path)
      return value
    })
    return [...paths.values()].flatMap((path) =>
      forms.flatMap((_, form) =>
        (["renamed", "added"] as const).map((kind): Case => ({
          name: `${name} ${path.join("/")}`,
          change: kind,
          form,
          outcome: Effect.suspend(() => {
            const count = { filled: 0 }
            const changed = inDocuments((value) => change[kind](value, path, form, count))
            return count.filled === 0
              ? Effect.succeed<Outcome>("blank")
              : outcomeOf(Effect.succeed(before), read(changed))
          })
        }))
      )
    )
  })

/** Returns all cases, in a fixed order. */
export const cases: Effect.Effect<ReadonlyArray<Case>> = Effect.gen(function* () {
  const tables = (yield* Effect.forEach(readdirSync(golden).toSorted(), tableOf)).flat()
  const records = yield* Effect.forEach(systems.flatMap(fixturesOf), casesOfJson)
  return [
    ...tables.flatMap((table) => [...casesOfTable(table, "csv"), ...casesOfTable(table, "xlsx")]),
    ...records.flat()
  ]
})
