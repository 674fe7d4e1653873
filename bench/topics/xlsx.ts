/** Workbook topic: `connector plan` of a workbook against the same rows as CSV. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { book, writeCsv, writeWorkbook } from "../data/SalesSheet.ts"
import { connector } from "../frame/Measured.ts"
import { cpu, memory, type Scale, type Topic } from "../frame/Topic.ts"

export const topic = async ({ folder, rows }: Scale): Promise<Topic> => {
  const [books, csv, xlsx] = [join(folder, "book.json"), join(folder, "sales.csv"), join(folder, "sales.xlsx")]
  writeFileSync(books, JSON.stringify(book))
  await writeCsv(csv, rows)
  await writeWorkbook(xlsx, rows)
  const plan = (kind: "csv" | "xlsx", file: string) => () =>
    connector(rows / 5, ["plan", kind, file, "--sandbox", "--book", books], { expected: /documents: \d+ Planned/ })
  const [ours, peer] = ["plan xlsx", "plan csv of the same rows"]
  return {
    sides: { [ours]: plan("xlsx", xlsx), [peer]: plan("csv", csv) },
    rows: [
      { name: `plan of a workbook of ${rows} rows and 20 columns, against its CSV twin`, ours, peer, figure: cpu },
      { name: "peak resident memory of the same", ours, peer, figure: memory }
    ]
  }
}
