/**
 * CSV topic on a generated file with quoted cells and line breaks: the reader against other
 * parsers, files to documents, and files to checked payloads.
 */
import { join } from "node:path"
import { write } from "../data/GeneratedCsv.ts"
import { apart } from "../frame/Measured.ts"
import { cpu, memory, type Row, type Scale, speed, type Topic } from "../frame/Topic.ts"
import { sides } from "./CsvCompetitors.ts"

const megabytes = speed("MB")
const payloads = "file to checked payloads, columns given"
const tenth = "the same, a tenth of the rows"

const rows: ReadonlyArray<Row> = [
  ["CSV reader with positions, cells on demand, against papaparse", "reader, cells on demand", "papaparse"],
  ["CSV reader with positions, every cell as text, against papaparse", "reader, every cell as text", "papaparse"],
  ["the same against csv-parse", "reader, every cell as text", "csv-parse"],
  ["the same against udsv", "reader, every cell as text", "udsv"],
  ["the same against effect Csv", "reader, every cell as text", "effect Csv"],
  ["CSV file to checked payloads, columns given, against csv-parse tokenising", payloads, "csv-parse"],
  ["the same against papaparse tokenising", payloads, "papaparse"]
].map(([name, ours, peer]) => ({ name: name!, ours: ours!, peer: peer!, figure: megabytes }))

export const topic = async ({ folder, rows: size }: Scale): Promise<Topic> => {
  const [small, file, part] = [join(folder, "small.csv"), join(folder, "rows.csv"), join(folder, "tenth.csv")]
  await write(small, { rows: 200 })
  await write(file, { rows: size })
  await write(part, { rows: size / 10 })
  const run = (name: string, path: string) => async () =>
    apart(join(import.meta.dirname, "CsvCompetitors.ts"), name, path, small)
  return {
    sides: {
      ...Object.fromEntries(Object.keys(sides).map((name) => [name, run(name, file)])),
      [tenth]: run(payloads, part)
    },
    rows: [
      ...rows,
      {
        name: "file to documents, all detected, against columns given",
        ours: "file to documents, all detected",
        peer: "file to documents, columns given",
        figure: cpu
      },
      { name: `peak memory of reading ${size} rows against a tenth`, ours: payloads, peer: tenth, figure: memory }
    ]
  }
}
