/**
 * Runs the sides of a topic in turns, and computes its rows: the ratio of every pair of a round,
 * with median and quartiles.
 */
import type { Row, Sample, Topic } from "./Topic.ts"

/** One row of the results. `ratio` is ours / peer; above 1 is better if `better` is `more`. */
export interface Result {
  readonly topic: string
  readonly name: string
  readonly unit: string
  readonly better: "more" | "less"
  /** Medians of both sides. */
  readonly ours: number
  readonly peer: number
  readonly ratio: number
  readonly quartiles: readonly [number, number]
  readonly pairs: ReadonlyArray<number>
  /**
   * `unsure` if the quartiles differ by more than 15 % of the ratio, or with fewer than three
   * pairs.
   */
  readonly verdict: "sure" | "unsure"
  /** CPU seconds per run, medians. */
  readonly cpu: { readonly ours: number; readonly peer: number }
}

/** Returns the quantile, interpolated between neighboring values. */
const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = Math.floor(at)
  const low = sorted[below]!
  return low + ((sorted[below + 1] ?? low) - low) * (at - below)
}

const median = (values: ReadonlyArray<number>) => quantile(values, 0.5)

const widest = 0.15
const fewest = 3

const resultOf = (topic: string, row: Row, samples: ReadonlyMap<string, ReadonlyArray<Sample>>): Result => {
  const { better, of, unit } = row.figure
  const [ours, peers] = [samples.get(row.ours)!, samples.get(row.peer)!]
  const pairs = ours.map((sample, round) => of(sample) / of(peers[round]!))
  const ratio = median(pairs)
  const quartiles = [quantile(pairs, 0.25), quantile(pairs, 0.75)] as const
  const isSure = pairs.length >= fewest && quartiles[1] - quartiles[0] <= widest * ratio
  return {
    topic,
    name: row.name,
    unit,
    better,
    ours: median(ours.map(of)),
    peer: median(peers.map(of)),
    ratio,
    quartiles,
    pairs,
    verdict: isSure ? "sure" : "unsure",
    cpu: { ours: median(ours.map(({ cpu }) => cpu)), peer: median(peers.map(({ cpu }) => cpu)) }
  }
}

/**
 * Runs one round per pair. Every other round runs backwards, so that no side always comes first.
 * `told` is called after every run.
 */
export const run = async (
  name: string,
  { rows, sides }: Topic,
  rounds: number,
  told: (side: string, sample: Sample) => void
): Promise<ReadonlyArray<Result>> => {
  const samples = new Map<string, Array<Sample>>()
  const names = Object.keys(sides)
  for (const side of names) samples.set(side, [])
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? names : names.toReversed()) {
      const sample = await sides[side]!()
      samples.get(side)!.push(sample)
      told(side, sample)
    }
  }
  return rows.map((row) => resultOf(name, row, samples))
}
