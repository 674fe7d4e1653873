/**
 * Child process of the proof: measures the growth of its resident memory while it refuses a
 * workbook, in MiB.
 */
import { Effect } from "effect"
import type { Buffer } from "node:buffer"
import { inflateRawSync } from "node:zlib"
import { refusal, row, sheetOf } from "../../packages/adapter-xlsx/test/Sample.ts"
import * as WorkbookParts from "../../packages/adapter-xlsx/test/WorkbookParts.ts"

const MiB = 2 ** 20
const sheet = "xl/worksheets/sheet1.xml"
const parts = () => WorkbookParts.partsOf(sheetOf(row("A-1")))

/** Returns a sheet of spaces that unpacks to 64 MiB. */
const bomb = () => WorkbookParts.zipped(parts().set(sheet, `<worksheet>${" ".repeat(64 * MiB)}</worksheet>`))

const million = () => {
  const texts = Array.from({ length: 1_000_000 }, (_, i) => {
    const text = (i * 7919).toString(36).padStart(8, "abcdefghijklmnopqrstuvwxyz"[i % 26])
    return `<si><t>${text}</t></si>`
  })
  const table = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${texts.join("")}</sst>`
  return WorkbookParts.zipped(parts().set("xl/sharedStrings.xml", table))
}

/** Unpacks the bomb like a reader without limits. */
const unpacked = (archive: Buffer): string => {
  const at = archive.indexOf(sheet) + sheet.length
  return inflateRawSync(archive.subarray(at)).toString("latin1")
}

const cases = {
  bomb: { make: bomb, use: (archive: Buffer) => Effect.runPromise(refusal(archive)) },
  unpacked: { make: bomb, use: async (archive: Buffer) => `${unpacked(archive).length} bytes` },
  million: { make: million, use: (archive: Buffer) => Effect.runPromise(refusal(archive)) }
}

const { make, use } = cases[process.argv[2] as keyof typeof cases]
const archive = await make()
globalThis.gc?.()
const before = process.memoryUsage().rss
const told = await use(archive)
process.stdout.write(JSON.stringify({ grown: (process.memoryUsage().rss - before) / MiB, told }))
