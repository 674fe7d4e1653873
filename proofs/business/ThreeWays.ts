/** Plays a history of a firm, and compares the reports of the three ways after each step. */
import * as Random from "../Random.ts"
import { Books, steps, troubleOf } from "./History.ts"
import { open, type Report, type Told } from "./Ways.ts"

/** Number of steps of a history. */
export const length = 12

export interface Played {
  readonly happened: ReadonlyArray<string>
  readonly disagreements: ReadonlyArray<string>
}

/**
 * Returns the statements that all ways can know. Rows of differences that a way cannot know:
 *
 * - a deletion, and the end of a run after it: only the source answers that it has no such record.
 * - the reason why a note on an invoice that was never taken, or was deleted, is not sent: a source
 *   reads what has changed, so it reads neither the invoice nor earlier notes on it again.
 * - which documents wait while a request without an outcome keeps its lane (`keeps`): an export
 *   states a held document again, so it is planned again; a source states only what has changed.
 * - that a rejected note would exceed its original beside a note of the same run: of two notes the
 *   one that is read first counts, and a source reads in the order of change.
 */
const comparable = (books: Books, { documents, done, open }: Report, keeps: Keeps): string => {
  const idOf = (name: string) => name.slice(name.indexOf(" ") + 1)
  const isTaken = (name: string) => {
    const credits = books.entries.get(idOf(name))?.sale.credits
    if (credits == null) return true
    return !books.everDeleted.has(credits.id) && documents.get(`invoice ${credits.id}`)?.status !== "none"
  }
  const waits = (status: string) => (waiting[keeps].includes(status) ? "waits" : status)
  const lines = [...documents]
    .filter(([name]) => !books.everDeleted.has(idOf(name)))
    .map(([name, told]) => {
      const codes = told.status === "rejected" ? told.codes.filter((code) => code !== "RCPT035") : told.codes
      return isTaken(name) || told.status === "fiscalised"
        ? lineOf(name, { ...told, codes, status: waits(told.status), because: null })
        : lineOf(name, { ...told, status: "not sent", codes: [], because: null })
    })
  const end = books.everDeleted.size === 0 ? [`${done}, ${keeps === "nothing" ? open : "some"} open`] : []
  return [...lines.toSorted(), ...end].join("\n")
}

/**
 * Documents that a request without an outcome keeps: those that wait behind it, or the whole lane
 * while a note on its invoice waits. A failure is then settled a step later, beside the next
 * receipt.
 */
type Keeps = "nothing" | "waiting" | "lane"

const waiting: Readonly<Record<Keeps, ReadonlyArray<string>>> = {
  nothing: [],
  waiting: ["planned", "held"],
  lane: ["planned", "held", "fiscalised", "accepted", "rejected"]
}

/** Returns what is kept in any of the ways. */
const keepsOf = (books: Books, reports: ReadonlyArray<Report>): Keeps => {
  const isBehind = ({ documents }: Report) =>
    books.entries
      .values()
      .some(
        ({ sale: { credits, id, kind } }) =>
          credits !== null &&
          documents.get(`${kind} ${id}`)?.status === "planned" &&
          documents.get(`invoice ${credits.id}`)?.status === "accepted"
      )
  if (reports.some(isBehind)) return "lane"
  return reports.some(({ documents }) => documents.values().some(({ status }) => status === "unknown"))
    ? "waiting"
    : "nothing"
}

const lineOf = (name: string, { because, cancelled, changed, codes, number, status }: Told): string =>
  [name, number, status, codes.join("+"), `changed ${changed}`, `cancelled ${cancelled}`, because].join(" | ")

/** Returns everything that a way states, to be read beside a disagreement. */
const shown = ({ documents, done, open }: Report): string =>
  [...Array.from(documents, ([name, told]) => lineOf(name, told)).toSorted(), `${done}, ${open} open`].join("\n")

/** Plays the history of a seed, up to the first disagreement. */
export const play = async (seed: number): Promise<Played> => {
  const random = Random.make(seed)
  const books = new Books(seed, random)
  const happened: Array<string> = []
  let now = 0
  let kept: Keeps = "nothing"
  const ways = await open(books, random.pick(["csv", "xero-like"]))
  try {
    for (let nth = 0; nth < length; nth++) {
      const did = books.act(nth === 0 ? "issue" : random.pick(steps))
      const trouble = troubleOf(books, random)
      happened.push(`${did}, gateway ${JSON.stringify(trouble)}`)
      now += random.pick([90, 120, 26 * 60]) * 60_000
      const told: Array<readonly [string, Report]> = []
      for (const way of ways) {
        told.push([way.name, await way.tell(trouble)])
        await way.until(now)
      }
      const keepsNow = keepsOf(
        books,
        told.map(([, report]) => report)
      )
      const keeps = kept === "lane" ? kept : keepsNow
      kept = keepsNow
      const reports = told.map(([name, report]) => [name, comparable(books, report, keeps), shown(report)] as const)
      const twice = ways.flatMap((way) => {
        const all = way.receipts()
        return all.filter((name, at) => all.indexOf(name) !== at).map((name) => `${way.name}: two receipts of ${name}`)
      })
      const [first] = reports
      const others = reports.filter(([, report]) => report !== first![1])
      if (others.length > 0 || twice.length > 0) {
        const lines = reports.map(([name, , report]) => `-- ${name}\n${report}`)
        return { happened, disagreements: [...twice, `seed ${seed}\n${happened.join("\n")}\n${lines.join("\n")}`] }
      }
    }
    return { happened, disagreements: [] }
  } finally {
    for (const way of ways) await way.close()
  }
}
