/** Runs the cron job of the examples as a process, to be killed: `FOLDER SALES`. */
import { job } from "../../examples/promise/cron/cron.ts"

const [folder, sales] = process.argv.slice(2)
await job(
  folder!,
  Array.from({ length: Number(sales) }, (_, i) => ({
    id: i + 1,
    day: "2026-03-02",
    article: "Solar lamp",
    pieces: "2",
    price: "9.99"
  }))
)
