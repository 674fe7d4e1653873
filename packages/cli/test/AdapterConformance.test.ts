/**
 * Checks the command's adapters against everything that core relies on, with the exports under
 * examples/.
 */
import { describe, it } from "../../core/test/It.ts"
import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { adapter as xeroLike } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import type { Adapter, Input } from "../../core/src/source/Adapter.ts"
import { suite } from "@fiscal-connector/adapter-kit/conformance/AdapterConformance"
import { factsOf, laws } from "@fiscal-connector/adapter-kit/conformance"
import { isOfRecord } from "../../adapter-kit/src/conformance/Facts.ts"
import { Stream } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { examples } from "./RunningConnector.ts"

const inputOf = (name: string): Input => ({
  files: [{ name, bytes: Stream.fromIterable([readFileSync(join(examples, name))]) }]
})

/** Laws of the kit's suite that need no special fixtures: our adapters cause no false alarm. */
const lawsOf = laws.filter(({ name }) => !/^(has fixtures|accounts for every record)/.test(name))

const hold = <Options>(adapter: Adapter<Options>, file: string, options: Options) =>
  describe(`${adapter.name} on ${file}`, () => {
    for (const { check, name } of suite(adapter, { input: inputOf(file), options })) it.effect(name, () => check)
    it.effect("meets the requirements of the kit's suite for every adapter", function* () {
      const input = inputOf(file)
      const readings = (yield* Stream.runCollect(adapter.read(input, options))).filter(isOfRecord)
      const facts = { readings: readings.map(factsOf), reviewed: true, records: readings.length }
      for (const law of lawsOf) yield* law.hold(adapter, [{ name: file, input, options, facts }])
    })
  })

hold(csv, "historical-invoices.csv", {})
hold(csv, "historical-invoices-with-faults.csv", {})
hold(xeroLike, "historical-invoices.json", { tin: "TaxNumber" })
hold(xlsx, "historical-invoices.xlsx", {})
