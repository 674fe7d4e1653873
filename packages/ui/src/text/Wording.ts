/** Puts values and days into the texts of the page. */

/** Values of a template: `{}` is a text or a number, `{document|documents}` a count. */
type Values<Template extends string> = Template extends `${string}{${infer Choice}}${infer Rest}`
  ? [value: Choice extends "" ? string | number : number, ...Values<Rest>]
  : []

export const text =
  <const Template extends string>(template: Template) =>
  (...values: Values<Template>): string => {
    const left = [...(values as ReadonlyArray<string | number>)]
    return template.replaceAll(/\{(?:([^|{}]+)\|([^|{}]+))?\}/g, (_, one?: string, several?: string) => {
      const value = left.shift() ?? ""
      const shown = typeof value === "number" ? value.toLocaleString("en") : value
      return one === undefined ? shown : `${shown} ${value === 1 ? one : several}`
    })
  }

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** Returns a day for display, such as `2 Jan 2026`, from a text that begins with an ISO date. */
export const day = (iso: string): string => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso) ?? []
  return year === undefined ? iso : `${Number(date)} ${months[Number(month) - 1] ?? month} ${year}`
}

/** Returns a text with its ISO dates and times as the page writes them. */
export const dated = (text: string): string =>
  text.replaceAll(/(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d):\d\d(?:[+-]\d\d:\d\d|Z)?)?/g, (_, iso: string, clock?: string) =>
    clock === undefined ? day(iso) : `${day(iso)}, ${clock}`
  )

/** Returns the days of documents: `5 to 22 Jan 2026`. Empty if no document has a date. */
export const period = (documents: ReadonlyArray<{ readonly date: string }>): string => {
  const days = documents.map(({ date }) => date.slice(0, "YYYY-MM-DD".length)).filter((day) => day !== "")
  const [from = "", ...later] = days.toSorted()
  const to = later.at(-1) ?? from
  const shared = from.slice(0, 7) === to.slice(0, 7) ? / .*/ : from.slice(0, 4) === to.slice(0, 4) ? / \d+$/ : ""
  return from === to ? day(to) : `${day(from).replace(shared, "")} to ${day(to)}`
}

/** Returns the texts that are not empty, in one line. */
export const joined = (...texts: ReadonlyArray<string>): string => texts.filter((text) => text !== "").join(" · ")

/** Returns `Feb 2026` for `2026-02`. */
export const month = (iso: string): string => day(`${iso}-01`).replace(/^1 /, "")
