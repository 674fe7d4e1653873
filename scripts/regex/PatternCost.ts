/** Measures if a regular expression needs more than linear time on some text. */
import * as HardTexts from "./HardTexts.ts"

/** A text on which the pattern is super-linear, and the time for 2 to 8 KiB of the text. */
export interface SuperLinear {
  readonly text: HardTexts.HardText
  readonly milliseconds: number
}

/** Returns the shortest elapsed time of several runs. Other processes only lengthen a run. */
const cost = (pattern: RegExp, text: string, runs: number): number => {
  let least = Infinity
  for (let run = 0; run < runs; run++) {
    const from = performance.now()
    text.replace(pattern, "")
    least = Math.min(least, performance.now() - from)
  }
  return least
}

// Measured for 2 KiB: a quadratic pattern takes 4 to 10 ms. A linear pattern takes less than 0.1
// ms, or 3 ms with a look-behind over at most 200 characters.
const suspicious = 0.2
const tooLong = 10

// Measured: one run of the whole text takes 1 to 1.4 times as long as four runs of its quarter if
// the pattern is linear, and 4 times as long if the pattern is quadratic.
const between = 2.2

const isSuperLinear = (pattern: RegExp, text: HardTexts.HardText): number | undefined => {
  // exponential patterns first: they would never finish on a longer text
  for (const length of [24, 32, 64]) {
    const short = HardTexts.textOf(text, length)
    // an interruption lengthens the elapsed time, but not the computing time
    if (cost(pattern, short, 1) <= tooLong) continue
    const milliseconds = timeOf(pattern, short, 1)
    if (milliseconds > tooLong) return milliseconds
  }
  const length = 2048 * Math.min(text.pump.length, 4)
  const [whole, quarter] = [HardTexts.textOf(text, length), HardTexts.textOf(text, length / 4)]
  const least = cost(pattern, whole, 3)
  // An interruption lengthens the run of the whole text, and leads only to a measurement.
  if (least < suspicious || least < between * 4 * cost(pattern, quarter, 3)) return undefined
  return grows(pattern, whole, quarter)
}

/** Returns the milliseconds that this thread has computed. Linux may count them in steps of 4. */
const computed = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1000
}

const timeOf = (pattern: RegExp, text: string, runs: number): number => {
  const from = computed()
  for (let run = 0; run < runs; run++) text.replace(pattern, "")
  return computed() - from
}

// Far more than one step of the clock.
const enough = 100

const trials = 3

/**
 * Returns the time of the whole text if its runs take far longer than four times as many runs of
 * its quarter, in each trial. Compares computing time: on a busy machine every run that exceeds its
 * turn of the processor is interrupted, so elapsed time grows with a linear pattern, too.
 */
const grows = (pattern: RegExp, whole: string, quarter: string): number | undefined => {
  let runs = 1
  while (timeOf(pattern, whole, runs) < enough) runs *= 2
  for (let trial = 0; trial < trials; trial++) {
    if (timeOf(pattern, whole, runs) < between * timeOf(pattern, quarter, 4 * runs)) return undefined
  }
  return cost(pattern, whole, 3)
}

/**
 * Finds a text on which the pattern takes more than linear time; undefined if none of the derived
 * texts does.
 */
export const superLinear = (pattern: RegExp): SuperLinear | undefined => {
  const everywhere = new RegExp(pattern.source, pattern.flags.replace("y", "").replace("g", "") + "g")
  for (const text of HardTexts.of(pattern)) {
    const milliseconds = isSuperLinear(everywhere, text)
    if (milliseconds !== undefined) return { text, milliseconds }
  }
  return undefined
}
