/** Runs `DaysHere.ts` under other machine zones and compares what comes out with the days the export was made with. */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { documents, isIssued } from "./XeroExport.ts"

/** The zones of the machine from −12 to +14 hours; the signs of Etc zones are turned round. */
export const wholeHours: ReadonlyArray<string> = Array.from({ length: 27 }, (_, i) => {
  const hours = i - 12
  return `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`
})

export interface DaysThere {
  /** Journal east of Greenwich, as the process itself says. */
  readonly offset: number
  readonly documents: number
  readonly broken: ReadonlyArray<string>
}

interface Output {
  readonly offset: number
  readonly days: ReadonlyArray<ReadonlyArray<readonly [id: string, stated: string | null, receipt: string | null]>>
}

const output = (zone: string, seed: number, invoices: number): Effect.Effect<Output, Error> =>
  Effect.callback((resume) => {
    const script = join(import.meta.dirname, "DaysHere.ts")
    const child = execFile(
      process.execPath,
      [script, String(seed), String(invoices)],
      { env: { ...process.env, TZ: zone }, maxBuffer: 1 << 26 },
      (error, out) => resume(error === null ? Effect.succeed(JSON.parse(out) as Output) : Effect.fail(error))
    )
    return Effect.sync(() => void child.kill())
  })

/** Every document's day as stated, and its receipt's first ten characters: the day in the business zone. */
export const check = (zone: string, seed: number, invoices: number): Effect.Effect<DaysThere, Error> =>
  Effect.map(output(zone, seed, invoices), ({ days, offset }) => {
    const dayOf = new Map(
      documents(seed, { invoices, oddities: "plain" })
        .filter(isIssued)
        .map(({ day, id }) => [id, day])
    )
    const found = days.flat()
    const slipped = found.filter(
      ([id, stated, receipt]) => stated !== dayOf.get(id) || (receipt !== null && receipt.slice(0, 10) !== stated)
    )
    const missing = found.length === dayOf.size * days.length ? [] : [`${zone}: ${found.length} documents`]
    return {
      offset,
      documents: found.length,
      broken: [...missing, ...slipped.map(([id, stated, receipt]) => `${zone}: ${id} ${stated} ${receipt}`)]
    }
  })
