/** All adapters with exports of known facts, ready for planting mistakes. */
import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as erpnextLike } from "@fiscal-connector/adapter-erpnext-like"
import { factsOf, type Fixture, inFolder } from "@fiscal-connector/adapter-kit/conformance"
import { adapter as odooLike } from "@fiscal-connector/adapter-odoo-like"
import { adapter as quickBooksLike } from "@fiscal-connector/adapter-quickbooks-like"
import { adapter as xeroLike } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { isOfRecord } from "../../packages/adapter-kit/src/conformance/Facts.ts"
import type { Adapter } from "../../packages/core/src/source/Adapter.ts"
import { Effect, type Schema, Stream } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import scaffold from "../../packages/create-fiscal-adapter/template/src/adapter.ts"

/** Adapter whose options do not matter here. */
export interface Subject {
  readonly name: string
  readonly adapter: Adapter<never>
  readonly fixtures: Effect.Effect<ReadonlyArray<Fixture<never>>>
}

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const inFixtures = <Options>(
  name: string,
  adapter: Adapter<Options> & { readonly options: Schema.Codec<Options, unknown> },
  folder: string
): Subject => ({
  name,
  adapter: adapter as unknown as Adapter<never>,
  fixtures: Effect.orDie(inFolder(at(folder), adapter.options)) as Subject["fixtures"]
})

/** Returns an adapter with its readings of an example, whose figures the golden tests check. */
const example = <Options>(name: string, adapter: Adapter<Options>, file: string, options: Options): Subject => {
  const input = {
    files: [{ name: file, bytes: Stream.sync(() => Uint8Array.from(readFileSync(at(`examples/${file}`)))) }]
  }
  return {
    name,
    adapter: adapter as unknown as Adapter<never>,
    fixtures: Effect.map(Effect.orDie(Stream.runCollect(adapter.read(input, options))), (all) => {
      const readings = all.filter(isOfRecord)
      return [
        {
          name: file,
          input,
          options: options as never,
          facts: { reviewed: true, records: readings.length, readings: readings.map(factsOf) }
        }
      ]
    })
  }
}

/** All adapters. */
export const subjects: ReadonlyArray<Subject> = [
  example("csv", csv, "historical-invoices.csv", {}),
  example("xlsx", xlsx, "historical-invoices.xlsx", {}),
  example("xero-like", xeroLike, "historical-invoices.json", {}),
  inFixtures("quickbooks-like", quickBooksLike, "packages/adapter-quickbooks-like/fixtures"),
  inFixtures("odoo-like", odooLike, "packages/adapter-odoo-like/fixtures"),
  inFixtures("erpnext-like", erpnextLike, "packages/adapter-erpnext-like/fixtures"),
  inFixtures("the scaffold", scaffold, "packages/create-fiscal-adapter/template/fixtures")
]
