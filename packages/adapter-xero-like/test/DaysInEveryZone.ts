/** Run by XeroDate.test.ts in a process of its own: the days of the dates it is given, with TZ from −12 to +14 hours. */
import { Result } from "effect"
import { parse } from "../src/values/XeroDate.ts"

const dates = JSON.parse(process.argv[2] ?? "[]") as ReadonlyArray<string>

const zones = Array.from({ length: 27 }, (_, i) => {
  const hours = i - 12
  // the signs of Etc zones are turned round
  process.env["TZ"] = `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`
  return {
    offset: -new Date(2018, 9, 20).getTimezoneOffset(),
    days: dates.map((date) => Result.getOrElse(parse(date), (problem) => problem))
  }
})

process.stdout.write(JSON.stringify(zones))
