/** Plays a history of a firm, and compares the reports of the three ways after each step. */
import * as Random from "../Random.ts"
import { Books, steps, troubleOf } from "./History.ts"
import { open, type Report } from "./Ways.ts"

/** Number of steps of a history. */
export const length = 12

export interface Played {
  readonly happened: ReadonlyArray<string>
  readonly disagreements: ReadonlyArray<string>
}

/**
 * Returns the statements that all ways can know: without deleted documents, and without the end of
 * a run after a deletion. Documents and files do not state a deletion: only the source answers that
 * it has no such record.
 */
const comparable = (
  books: Books,
  { documents, done, open }: Report,
  shown: "because" | "agreed" = "agreed"
): string => {
  const all = [...documents].filter(([name]) => !books.everDeleted.has(name.slice(name.indexOf(" ") + 1)))
  const lines = all.map(([name, { because, cancelled, changed, codes, number, status }]) =>
    [
      name,
      number,
      status,
      codes.join("+"),
      `changed ${changed}`,
      `cancelled ${cancelled}`,
      shown === "because" ? because : ""
    ].join(" | ")
  )
  const isEnd = books.everDeleted.size === 0 || shown === "because"
  return [...lines.toSorted(), ...(isEnd ? [`${done}, ${open} open`] : [])].join("\n")
}

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
      now += random.pick([30, 60, 26 * 60]) * 60_000
      const reports: Array<readonly [string, string, string]> = []
      for (const way of ways) {
        const report = await way.tell(trouble)
        reports.push([way.name, comparable(books, report), comparable(books, report, "because")])
        await way.until(now)
      }
      const twice = ways.flatMap((way) => {
        const all = way.receipts()
        return all.filter((name, at) => all.indexOf(name) !== at).map((name) => `${way.name}: two receipts of ${name}`)
      })
      const [first] = reports
      const others = reports.filter(([, report]) => report !== first![1])
      if (others.length > 0 || twice.length > 0) {
        const shown = reports.map(([name, , report]) => `-- ${name}\n${report}`)
        return { happened, disagreements: [...twice, `seed ${seed}\n${happened.join("\n")}\n${shown.join("\n")}`] }
      }
    }
    return { happened, disagreements: [] }
  } finally {
    for (const way of ways) await way.close()
  }
}
