/** What is said where the command ended while documents may be under way. */
import type { CallShape } from "./Call.ts"
import * as NextStep from "./NextStep.ts"

export const onTheirWay = (call: CallShape): string => {
  const next = NextStep.lines([{ do: "health" }, { do: "resume" }], call)
  return ["Some documents may be on their way.", ...next.map((line) => `  ${line}`)].join("\n")
}
