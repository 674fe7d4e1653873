/**
 * Child process of XeroDate.test.ts: prints the days of the given dates, with TZ from −12 to +14
 * hours.
 */
import { Result } from "effect"
import { parse } from "../src/values/XeroDate.ts"

const dates = JSON.parse(process.argv[2] ?? "[]") as ReadonlyArray<string>

const zones = Array.from({ length: 27 }, (_, i) => {
  const hours = i - 12
  // The signs of Etc zones are reversed.
  process.env["TZ"] = `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`
  return {
    offset: -new Date(2018, 9, 20).getTimezoneOffset(),
    days: dates.map((date) => Result.getOrElse(parse(date), (problem) => problem))
  }
})

process.stdout.write(JSON.stringify(zones))
