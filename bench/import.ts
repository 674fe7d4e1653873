/**
 * The budget for imports: `node bench/import.ts [--json] [rows …]`. Runs `connector plan csv` on files of 10 000, 100 000 and
 * 1 000 000 rows, five to a document, each twice: as it is, for the time and the peak of its resident memory; and collecting garbage all
 * along, for the peak of what it really holds.
 */
import { spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const main = join(import.meta.dirname, "../packages/cli/src/main.ts")
const folder = mkdtempSync(join(tmpdir(), "fiscal-connector-bench-"))

const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT15", device: 1, percent: "15" }],
  currencies: [{ code: "USD", device: "USD" }]
}

/** 200 documents a day, every one in order. */
const generate = (rows: number): string => {
  const path = join(folder, `${rows}.csv`)
  const columns =
    "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,CustomerTIN,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,TotalTax,Total"
  writeFileSync(path, `${columns}\n`)
  let text = ""
  for (let document = 0; document * 5 < rows; document++) {
    const day = new Date(Date.UTC(2020, 0, 1 + Math.floor(document / 200))).toISOString().slice(0, 10)
    const number = `INV-${String(document).padStart(7, "0")}`
    for (let line = 0; line < 5; line++) {
      text += `invoice,${number},${day},USD,inclusive,"Some, Café Buyer",2000123456,Item ${line} of ${document},2,10.50,21.00,Standard,25232900,13.70,105.00\n`
    }
    if (text.length > 1 << 20) {
      appendFileSync(path, text)
      text = ""
    }
  }
  appendFileSync(path, text)
  return path
}

const report = `process.on("exit", () => process.stderr.write("PEAK " + process.resourceUsage().maxRSS + "\\n"))`
const collecting = `let live = 0
setInterval(() => { gc(); live = Math.max(live, process.memoryUsage().heapUsed) }, 250).unref()
process.on("exit", () => process.stderr.write("PEAK " + live / 1024 + "\\n"))`

/** Seconds, and the peak in MiB. */
const run = (file: string, watch: string) => {
  const began = performance.now()
  const { stderr, stdout } = spawnSync(
    process.execPath,
    [
      "--expose-gc",
      "--import",
      `data:text/javascript,${encodeURIComponent(watch)}`,
      main,
      "plan",
      "csv",
      file,
      "--sandbox",
      "--book",
      join(folder, "book.json")
    ],
    { encoding: "utf8", maxBuffer: 1 << 28 }
  )
  const peak = /PEAK ([\d.]+)/.exec(stderr)
  if (peak === null || !/documents: \d+ Planned/.test(stdout))
    throw new Error(`${file}: ${stderr}${stdout.slice(-400)}`)
  return { seconds: (performance.now() - began) / 1000, peak: Number(peak[1]) / 1024 }
}

try {
  writeFileSync(join(folder, "book.json"), JSON.stringify(book))
  const given = process.argv.slice(2).map(Number).filter(Number.isInteger)
  const sizes = given.length > 0 ? given : [10_000, 100_000, 1_000_000]
  const measured = sizes.map((rows) => {
    const file = generate(rows)
    const { peak, seconds } = run(file, report)
    const held = run(file, collecting).peak
    rmSync(file)
    return { rows, seconds, peak, held }
  })
  const first = measured[0]!
  const results = measured.flatMap(({ held, peak, rows, seconds }) => [
    { name: `documents a second, ${rows} rows`, ours: rows / 5 / seconds, peer: first.rows / 5 / first.seconds },
    { name: `memory held by an import, MiB, ${rows} rows against ${first.rows}`, ours: held, peer: first.held },
    { name: `peak resident memory of an import, MiB, ${rows} rows against ${first.rows}`, ours: peak, peer: first.peak }
  ])
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify(results.map((result) => ({ ...result, ratio: result.ours / result.peer }))))
  } else {
    for (const { name, ours, peer } of results) {
      console.log(`${name}: ${ours.toFixed(0)} (${peer.toFixed(0)}), ${(ours / peer).toFixed(2)}×`)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
