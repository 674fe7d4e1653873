/** Measures if a regular expression needs more than linear time on some text. */
import { median } from "../Median.ts"
import * as HardTexts from "./HardTexts.ts"

/** A text on which the pattern is super-linear, and the time for 2 to 8 KiB of the text. */
export interface SuperLinear {
  readonly text: HardTexts.HardText
  readonly milliseconds: number
}

/**
 * Returns the shortest elapsed time of several runs. Other processes only lengthen a run, so a slow
 * pattern is never missed. CPU time is no better: some kernels count it in steps of milliseconds.
 */
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

const isSuperLinear = (pattern: RegExp, text: HardTexts.HardText): number | undefined => {
  // exponential patterns first: they would never finish on a longer text
  for (const length of [24, 32, 64]) {
    const short = HardTexts.textOf(text, length)
    if (cost(pattern, short, 1) <= tooLong) continue
    const least = cost(pattern, short, 10)
    if (least > tooLong) return least
  }
  const length = 2048 * Math.min(text.pump.length, 4)
  const whole = HardTexts.textOf(text, length)
  return cost(pattern, whole, 1) < suspicious ? undefined : grows(pattern, whole, HardTexts.textOf(text, length / 4))
}

// Measured: one run of the whole text takes 1 to 1.4 times as long as four runs of its quarter if
// the pattern is linear, and 4 times as long if the pattern is quadratic.
const between = 2.2

const rounds = 25

const paused = new Int32Array(new SharedArrayBuffer(4))

/**
 * Returns the time of one run that begins after a pause. A process that has just paused is not
 * interrupted at once by others; without the pause, a run of about one turn of the processor is
 * interrupted each time on a busy machine, and looks super-linear.
 */
const rested = (pattern: RegExp, text: string): number => {
  Atomics.wait(paused, 0, 0, 1)
  return cost(pattern, text, 1)
}

/** True if both the median of the rounds and the shortest runs are far above linear. */
const growsInTrial = (pattern: RegExp, whole: string, quarter: string): boolean => {
  const ratios: Array<number> = []
  let [leastWhole, leastQuarter] = [Infinity, Infinity]
  for (let round = 0; round < rounds; round++) {
    const ofWhole = rested(pattern, whole)
    const ofQuarters = [0, 1, 2, 3].map(() => rested(pattern, quarter))
    ratios.push(ofWhole / ofQuarters.reduce((sum, one) => sum + one))
    leastWhole = Math.min(leastWhole, ofWhole)
    leastQuarter = Math.min(leastQuarter, ...ofQuarters)
    if (round === 2 && leastWhole < suspicious) return false
  }
  return median(ratios) >= between && leastWhole / (4 * leastQuarter) >= between
}

const trials = 3

/**
 * Returns the time of the whole text if its run takes far longer than four runs of its quarter, in
 * each trial. The runs of a round follow each other, so a busy machine slows both; a pause of the
 * process falls into few rounds, so it changes neither the median nor the shortest run.
 */
const grows = (pattern: RegExp, whole: string, quarter: string): number | undefined => {
  for (let trial = 0; trial < trials; trial++) if (!growsInTrial(pattern, whole, quarter)) return undefined
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
