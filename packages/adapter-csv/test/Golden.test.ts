/**
 * Golden tests: in every directory of fixtures/golden, `input.csv` read with `options.json` gives
 * `expected.json`. UPDATE_GOLDEN=1 writes `expected.json` again.
 */
import { formatPlain } from "../../core/src/document/Money.ts"
import type { Finding } from "../../core/src/finding/Finding.ts"
import { format } from "../../core/src/finding/Provenance.ts"
import type { AdapterError } from "../../core/src/source/Adapter.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { BigDecimal, DateTime, Effect } from "effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import type { CsvOptions } from "../src/CsvAdapter.ts"
import type { CsvDocument } from "../src/documents/CsvDocument.ts"
import { file, read, type Sorted } from "./Sample.ts"

const root = new URL("../fixtures/golden/", import.meta.url)

const plain = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return formatPlain(value)
  if (DateTime.isDateTime(value)) return DateTime.isZoned(value) ? DateTime.formatIsoOffset(value) : String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
}

const shortFinding = ({ at, code, detail, message, path, severity }: Finding) =>
  [severity, code, path.join("."), at === undefined ? "" : format(at), message, detail ?? ""].join(" | ")

const shortDocument = ({ findings, ...stated }: CsvDocument) => ({
  ...(plain({ ...stated, _tag: undefined }) as object),
  findings: findings.map(shortFinding)
})

const shortened = ({ documents, findings, skipped }: Sorted) => ({
  documents: documents.map(shortDocument),
  skipped: skipped.map(({ at, key, reason }) => `${key}: ${reason} (${format(at)})`),
  findings: findings.map(shortFinding)
})

const shortError = (error: AdapterError) => ({ error: plain(error.reason) })

describe("golden files", () => {
  for (const name of readdirSync(root).toSorted()) {
    it.effect(`reads ${name} as expected, in chunks and whole`, function* () {
      const at = (file: string) => new URL(`${name}/${file}`, root)
      const options: CsvOptions = existsSync(at("options.json"))
        ? JSON.parse(readFileSync(at("options.json"), "utf8"))
        : {}
      const readIn = (pieces: number) =>
        Effect.match(read({ files: [file(readFileSync(at("input.csv")), "in.csv", pieces)] }, options), {
          onSuccess: (sorted): unknown => shortened(sorted),
          onFailure: shortError
        })
      const found = yield* readIn(7)
      assert.deepStrictEqual(found, yield* readIn(1 << 16))
      if (process.env["UPDATE_GOLDEN"] !== undefined) {
        writeFileSync(at("expected.json"), `${JSON.stringify(found, null, 2)}\n`)
      }
      assert.deepStrictEqual(JSON.parse(JSON.stringify(found)), JSON.parse(readFileSync(at("expected.json"), "utf8")))
    })
  }
})
