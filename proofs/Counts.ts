/** Counts of outcomes, printed with the most frequent first. */
import { Effect } from "effect"

/** Prints figures. The console of a test with its own clock prints nothing. */
export const shown = (text: string) => Effect.sync(() => void process.stdout.write(`${text}\n`))

export const counted = (outcomes: Iterable<string>): string => {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${String(count).padStart(6)} ${outcome}`)
    .join("\n")
}
