/** Measures whether a regular expression needs more than linear time on some text. */
import * as HardTexts from "./HardTexts.ts"

/** A text on which the pattern is super-linear, and the CPU time of 8 to 32 KiB of it. */
export interface SuperLinear {
  readonly text: HardTexts.HardText
  readonly milliseconds: number
}

/** Least CPU time of some runs: other processes of the machine cannot make it smaller. */
const cost = (pattern: RegExp, text: string, runs: number): number => {
  let least = Infinity
  for (let run = 0; run < runs; run++) {
    const from = process.cpuUsage()
    text.replace(pattern, "")
    const { user } = process.cpuUsage(from)
    least = Math.min(least, user / 1000)
  }
  return least
}

// Measured: a quadratic pattern takes 30 ms and more for 8 KiB, and 0.3 ms for 1 KiB; a linear one 0.1 to 1 ms, and 0.01.
const suspicious = 0.12
const tooLong = 10

const isSuperLinear = (pattern: RegExp, text: HardTexts.HardText): number | undefined => {
  // exponential ones first: they would never come back from a longer text
  for (const length of [24, 32, 64]) {
    const short = HardTexts.textOf(text, length)
    if (cost(pattern, short, 1) > tooLong && cost(pattern, short, 2) > tooLong) return cost(pattern, short, 1)
  }
  const first = HardTexts.textOf(text, 1024 * Math.min(text.pump.length, 8))
  if (cost(pattern, first, 1) < suspicious || cost(pattern, first, 3) < suspicious) return undefined
  const length = 8192 * Math.min(text.pump.length, 4)
  const whole = cost(pattern, HardTexts.textOf(text, length), 2)
  if (whole < tooLong) return undefined
  // four times the text: linear 4, quadratic 16
  return whole > 8 * cost(pattern, HardTexts.textOf(text, length / 4), 3) ? whole : undefined
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
