/**
 * Runs `ZoneDaysProcess.ts` in other machine time zones, and compares its days with the days of the
 * generated export.
 */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { documents, isIssued } from "./XeroExport.ts"

/** Time zones from −12 to +14 hours; the signs of Etc zones are reversed. */
export const wholeHours: ReadonlyArray<string> = Array.from({ length: 27 }, (_, i) => {
  const hours = i - 12
  return `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`
})

export interface ZoneResult {
  /** Minutes east of Greenwich, as the process reports. */
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
    const script = join(import.meta.dirname, "ZoneDaysProcess.ts")
    const child = execFile(
      process.execPath,
      [script, String(seed), String(invoices)],
      { env: { ...process.env, TZ: zone }, maxBuffer: 1 << 26 },
      (error, out) => resume(error === null ? Effect.succeed(JSON.parse(out) as Output) : Effect.fail(error))
    )
    return Effect.sync(() => void child.kill())
  })

/**
 * Checks every document's stated day, and the first ten characters of its receipt date: the day in
 * the business zone.
 */
export const check = (zone: string, seed: number, invoices: number): Effect.Effect<ZoneResult, Error> =>
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
