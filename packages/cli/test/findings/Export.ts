/**
 * Small exports, one for each code of the adapters: a real file with a single fault, written for a
 * command to read.
 */
import { Effect } from "effect"
import { copyFileSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as WorkbookParts from "../../../adapter-xlsx/test/WorkbookParts.ts"

const here = import.meta.dirname

/** Folder of exports, named after the format that reads them. */
export interface Format {
  readonly name: string
  /** Ending of the file beside the golden output; a workbook is made from a description. */
  readonly ending: ".csv" | ".json"
  readonly reads: ".csv" | ".json" | ".xlsx"
  /** Names of the format in the command. */
  readonly words: ReadonlyArray<string>
}

export const formats: ReadonlyArray<Format> = [
  { name: "csv", ending: ".csv", reads: ".csv", words: ["csv"] },
  { name: "xlsx", ending: ".json", reads: ".xlsx", words: ["xlsx"] },
  { name: "xero-like", ending: ".json", reads: ".json", words: ["xero-like"] },
  { name: "quickbooks-like", ending: ".json", reads: ".json", words: ["quickbooks-like"] },
  { name: "own", ending: ".json", reads: ".json", words: ["--adapter", "adapter.ts"] }
]

/** Export, with the code it causes. */
export interface Export {
  readonly code: string
  readonly format: Format
  /** Path of its golden output. */
  readonly golden: string
}

const besides = /\.(map|book)\.json$/

export const exports: ReadonlyArray<Export> = formats.flatMap((format) =>
  readdirSync(join(here, format.name))
    .filter((file) => file.endsWith(format.ending) && !besides.test(file))
    .map((file) => file.slice(0, -format.ending.length))
    .map((code) => ({ code, format, golden: join(here, format.name, `${code}.txt`) }))
)

/**
 * Replaces placeholders: `{{00}}` is a byte, `{{Paper * 9}}` a text repeated nine times. They
 * represent bytes that no editor keeps, and very long texts.
 */
const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text.split(/(\{\{[^}]*\}\})/).map((part) => {
      const [, inside] = /^\{\{(.*)\}\}$/.exec(part) ?? []
      if (inside === undefined) return Buffer.from(part)
      const [, repeated, times] = /^(.*) \* (\d+)$/.exec(inside) ?? []
      return repeated === undefined ? Buffer.from(inside, "hex") : Buffer.from(repeated.repeat(Number(times)))
    })
  )

type Described = string | number | null | WorkbookParts.Cell

/** Makes a workbook: texts and numbers are written as given, other cells state their kind. */
const workbookOf = (text: string): Promise<Buffer> => {
  const sheets = JSON.parse(text) as ReadonlyArray<{
    readonly name: string
    readonly rows: ReadonlyArray<ReadonlyArray<Described>>
  }>
  const cell = (described: Described): WorkbookParts.Cell =>
    typeof described === "string"
      ? { text: described }
      : typeof described === "number"
        ? { number: String(described) }
        : (described ?? undefined)
  return WorkbookParts.workbook(
    sheets.map((sheet): WorkbookParts.SheetSpec => ({ ...sheet, rows: sheet.rows.map((row) => row.map(cell)) }))
  )
}

/**
 * Writes the export with its book to `folder`, and returns the words that follow `connector
 * import`.
 */
export const place = (
  { code, format }: Export,
  folder: string
): Effect.Effect<readonly [string, ...ReadonlyArray<string>]> =>
  Effect.promise(async () => {
    const own = (ending: string) => join(here, format.name, `${code}${ending}`)
    const file = `sales${format.reads}`
    const text = readFileSync(own(format.ending), "utf8")
    writeFileSync(join(folder, file), format.reads === ".xlsx" ? await workbookOf(text) : bytesOf(text))
    copyFileSync(existsSync(own(".book.json")) ? own(".book.json") : join(here, "book.json"), join(folder, "book.json"))
    const adapter = join(here, format.name, "adapter.ts")
    if (existsSync(adapter)) {
      copyFileSync(adapter, join(folder, "adapter.ts"))
      symlinkSync(join(here, "../../node_modules"), join(folder, "node_modules"))
    }
    const columns = existsSync(own(".map.json")) ? ["--columns", "map.json"] : []
    if (columns.length > 0) copyFileSync(own(".map.json"), join(folder, "map.json"))
    const flags = existsSync(own(".args")) ? readFileSync(own(".args"), "utf8").trim().split(" ") : []
    return [...format.words, file, "--sandbox", "--book", "book.json", ...flags, ...columns] as never
  })
