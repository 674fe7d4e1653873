import { createReadStream } from "node:fs"
import { Effect, Stream } from "effect"
import { adapter } from "../packages/adapter-csv/src/CsvAdapter.ts"
const settings: any =
  process.argv[2] === "given"
    ? { encoding: "utf-8", quotes: "doubled", dates: "dmy", decimalMark: "point", grouping: "window" }
    : {}
const path = process.argv[3]!
const hw = Number(process.argv[4] ?? 1 << 18)
const file: any = {
  name: "x.csv",
  bytes: Stream.suspend(() => Stream.fromAsyncIterable(createReadStream(path, { highWaterMark: hw }), (e) => e))
}
let peak: any = { rss: 0 },
  peaks: any = {}
const look = () => {
  const m: any = process.memoryUsage()
  for (const k in m) peaks[k] = Math.max(peaks[k] ?? 0, m[k])
  if (m.rss > peak.rss) peak = m
}
let docs = 0,
  n = 0
const t = performance.now()
await Effect.runPromise(
  Stream.runForEachArray(adapter.read({ files: [file] }, { settings }), (rs) =>
    Effect.sync(() => {
      docs += rs.length
      if (n++ % 8 === 0) look()
    })
  ) as any
)
console.log(
  process.argv.slice(2).join(" "),
  docs,
  Math.round(performance.now() - t) + " ms",
  Object.entries(peaks)
    .map(([k, v]: any) => k + " " + Math.round(v / 1e6))
    .join(", "),
  "| at peak",
  Object.entries(peak)
    .map(([k, v]: any) => k + " " + Math.round(v / 1e6))
    .join(", ")
)
