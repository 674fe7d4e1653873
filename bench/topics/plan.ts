/**
 * Plan topic: `connector plan` as users run it, with start and detection, against its pipeline from
 * file to checked payloads. Also compares live and resident memory with a tenth of the rows, and
 * Xero-shaped JSON with parsing the same text.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { write } from "../data/GeneratedCsv.ts"
import * as GeneratedXeroLike from "../data/GeneratedXeroLike.ts"
import { apart, connector } from "../frame/Measured.ts"
import { memory, type Scale, speed, type Topic } from "../frame/Topic.ts"
import { book } from "./CsvCompetitors.ts"

/** Sides that only parse Xero-shaped JSON. */
export const sides = {
  parse: async (path: string) => {
    const { Invoices } = JSON.parse(readFileSync(path, "utf8")) as { readonly Invoices: ReadonlyArray<unknown> }
    return Invoices.length
  }
}

const pipeline = "file to checked payloads, columns given"
const script = "script with csv-parse and decimal.js"
const planned = /documents: \d+ Planned/

export const topic = async ({ folder, rows }: Scale): Promise<Topic> => {
  const at = (name: string) => join(folder, name)
  writeFileSync(at("book.json"), book)
  writeFileSync(at("xero.book.json"), JSON.stringify(GeneratedXeroLike.book))
  await write(at("small.csv"), { rows: 200 })
  await write(at("rows.csv"), { rows })
  await write(at("tenth.csv"), { rows: rows / 10 })
  await GeneratedXeroLike.write(at("small.json"), 40)
  await GeneratedXeroLike.write(at("rows.json"), rows / 5)
  const plan = (name: string, watching: "resident" | "alive") => () =>
    connector(statSync(at(name)).size / 1e6, ["plan", "csv", at(name), "--sandbox", "--book", at("book.json")], {
      expected: planned,
      watching
    })
  const tenth = rows / 10
  return {
    sides: {
      [pipeline]: async () =>
        apart(join(import.meta.dirname, "CsvCompetitors.ts"), pipeline, at("rows.csv"), at("small.csv")),
      [script]: async () =>
        apart(join(import.meta.dirname, "CsvCompetitors.ts"), script, at("rows.csv"), at("small.csv")),
      "plan csv": plan("rows.csv", "resident"),
      "plan csv, a tenth": plan("tenth.csv", "resident"),
      "plan csv, what it holds": plan("rows.csv", "alive"),
      "plan csv, a tenth, what it holds": plan("tenth.csv", "alive"),
      "plan xero-like": () =>
        connector(
          rows / 5,
          [
            "plan",
            "xero-like",
            at("rows.json"),
            "--sandbox",
            "--book",
            at("xero.book.json"),
            "--product-code",
            "item-code"
          ],
          { expected: planned }
        ),
      "JSON.parse": async () => apart(import.meta.filename, "parse", at("rows.json"), at("small.json"))
    },
    rows: [
      { name: `plan csv of ${rows} rows, against ${pipeline}`, ours: "plan csv", peer: pipeline, figure: speed("MB") },
      { name: `plan csv of ${rows} rows, against a ${script}`, ours: "plan csv", peer: script, figure: speed("MB") },
      {
        name: `plan csv, peak resident memory, ${rows} rows against ${tenth}`,
        ours: "plan csv",
        peer: "plan csv, a tenth",
        figure: memory
      },
      {
        name: `plan csv, memory held, ${rows} rows against ${tenth}`,
        ours: "plan csv, what it holds",
        peer: "plan csv, a tenth, what it holds",
        figure: memory
      },
      {
        name: `plan xero-like of ${rows / 5} documents, against JSON.parse of the text`,
        ours: "plan xero-like",
        peer: "JSON.parse",
        figure: speed("documents")
      }
    ]
  }
}
