/** Measures whether a regular expression needs more than linear time on some text. */
import * as HardTexts from "./HardTexts.ts"

/** A text on which the pattern is super-linear, and the time of 2 to 8 KiB of it. */
export interface SuperLinear {
  readonly text: HardTexts.HardText
  readonly milliseconds: number
}

/**
 * Least time of some runs by the clock. Other processes make a run longer and never shorter, so a slow pattern is never missed, and the text is so short
 * that a few of many runs stay undisturbed. CPU time is no better: some kernels count it in steps of milliseconds.
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

// Measured for 2 KiB: a quadratic pattern takes 4 to 10 ms, a linear one less than 0.1 ms, or 3 ms if it looks back over at most 200 characters.
const suspicious = 0.2
const tooLong = 10

const isSuperLinear = (pattern: RegExp, text: HardTexts.HardText): number | undefined => {
  // exponential ones first: they would never come back from a longer text
  for (const length of [24, 32, 64]) {
    const short = HardTexts.textOf(text, length)
    if (cost(pattern, short, 1) > tooLong && cost(pattern, short, 10) > tooLong) return cost(pattern, short, 1)
  }
  const length = 2048 * Math.min(text.pump.length, 4)
  const whole = HardTexts.textOf(text, length)
  return cost(pattern, whole, 1) < suspicious ? undefined : grows(pattern, whole, HardTexts.textOf(text, length / 4))
}

// measured: four times the text takes 4 to 5.4 times as long where the pattern is linear, and 16 times and more where it is not
const fourfold = 9

/** Returns the time of the whole text if it is far more than four times that of its quarter. */
const grows = (pattern: RegExp, whole: string, quarter: string): number | undefined => {
  let [ofWhole, ofQuarter] = [Infinity, Infinity]
  for (let round = 0; round < 20; round++) {
    ofWhole = Math.min(ofWhole, cost(pattern, whole, 3))
    ofQuarter = Math.min(ofQuarter, cost(pattern, quarter, 6))
    if (ofWhole < suspicious || ofWhole < fourfold * ofQuarter) return undefined
  }
  return ofWhole
}

/** Finds a text on which the pattern takes more than linear time; undefined where none of the derived texts does. */
export const superLinear = (pattern: RegExp): SuperLinear | undefined => {
  const everywhere = new RegExp(pattern.source, pattern.flags.replace("y", "").replace("g", "") + "g")
  for (const text of HardTexts.of(pattern)) {
    const milliseconds = isSuperLinear(everywhere, text)
    if (milliseconds !== undefined) return { text, milliseconds }
  }
  return undefined
}
