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
 * - if a held document waits or is held while a request without an answer keeps its lane: it is
 *   planned again by an export that states it again, and a source states only what has changed.
 */
const comparable = (books: Books, { documents, done, open }: Report): string => {
  const idOf = (name: string) => name.slice(name.indexOf(" ") + 1)
  const isTaken = (name: string) => {
    const credits = books.entries.get(idOf(name))?.sale.credits
    if (credits == null) return true
    return !books.everDeleted.has(credits.id) && documents.get(`invoice ${credits.id}`)?.status !== "none"
  }
  const isKept = documents.values().some(({ status }) => status === "unknown")
  const waits = (status: string) => (isKept && (status === "planned" || status === "held") ? "waits" : status)
  const lines = [...documents]
    .filter(([name]) => !books.everDeleted.has(idOf(name)))
    .map(([name, told]) =>
      isTaken(name) || told.status === "fiscalised"
        ? lineOf(name, { ...told, status: waits(told.status), because: null })
        : lineOf(name, { ...told, status: "not sent", codes: [], because: null })
    )
  const end = books.everDeleted.size === 0 ? [`${done}, ${isKept ? "some" : open} open`] : []
  return [...lines.toSorted(), ...end].join("\n")
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
  const ways = await open(books, random.pick(["csv", "xero-like"]))
  try {
    for (let nth = 0; nth < length; nth++) {
      const did = books.act(nth === 0 ? "issue" : random.pick(steps))
      const trouble = troubleOf(books, random)
      happened.push(`${did}, gateway ${JSON.stringify(trouble)}`)
      now += random.pick([90, 120, 26 * 60]) * 60_000
      const reports: Array<readonly [string, string, string]> = []
      for (const way of ways) {
        const report = await way.tell(trouble)
        reports.push([way.name, comparable(books, report), shown(report)])
        await way.until(now)
      }
      const twice = ways.flatMap((way) => {
        const all = way.receipts()
        return all.filter((name, at) => all.indexOf(name) !== at).map((name) => `${way.name}: two receipts of ${name}`)
      })
      const [first] = reports
      const others = reports.filter(([, report]) => report !== first![1])
      if (others.length > 0 || twice.length > 0) {
        const told = reports.map(([name, , report]) => `-- ${name}\n${report}`)
        return { happened, disagreements: [...twice, `seed ${seed}\n${happened.join("\n")}\n${told.join("\n")}`] }
      }
    }
    return { happened, disagreements: [] }
  } finally {
    for (const way of ways) await way.close()
  }
}
