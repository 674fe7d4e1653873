/** Documents that wait for an operator or were refused by the gateway, grouped by text. */
import { CodeEntry, KnownCodes } from "@fiscal-connector/core/host/account"
import { printable } from "../output/Terminal.ts"
import type { ImportedDocument } from "@fiscal-connector/core/session"
import type { CallShape } from "../output/Call.ts"
import * as NextStep from "../output/NextStep.ts"
import type { Step } from "@fiscal-connector/core/host"

const most = 100
const named = 5

/** States that need an explanation even without a text. */
const awaited: ReadonlySet<string> = new Set(["Sending", "Accepted", "Unknown", "Expired"])

export type Reported = Pick<ImportedDocument.ImportedDocument, "number" | "state" | "text" | "cause">

export class ProblemGroups {
  readonly #groups = new Map<string, { count: number; readonly numbers: Array<string> }>()
  readonly #fixes = new Map<string, { readonly steps: ReadonlyArray<Step.Step>; readonly number: string }>()
  #beyond = 0

  add(row: Reported): void {
    const { number, state, text } = row
    if (state === "Fiscalised" || (text === null && !awaited.has(state))) return
    const fix = fixOf(row)
    if (fix !== undefined && !this.#fixes.has(fix.text)) this.#fixes.set(fix.text, { steps: fix.steps, number })
    const problem =
      text === null ? state : `${state}: ${text.startsWith(`${number} `) ? text.slice(number.length + 1) : text}`
    const known = this.#groups.get(problem)
    if (known === undefined && this.#groups.size === most) {
      this.#beyond += 1
      return
    }
    const group = known ?? { count: 0, numbers: [] }
    if (known === undefined) this.#groups.set(problem, group)
    group.count += 1
    if (group.numbers.length < named) group.numbers.push(number)
  }

  report(call: CallShape): string {
    if (this.#groups.size === 0) return ""
    const groups = Array.from(this.#groups, ([problem, { count, numbers }]) => {
      if (count === 1) return `  ${numbers.join("")}  ${problem}`
      const more = count > numbers.length ? ` and ${count - numbers.length} more` : ""
      return `  ${count} documents  ${problem}\n    ${numbers.join(", ")}${more}`
    })
    return [
      "To look at:",
      ...groups.flatMap((text) => text.split("\n")).map(printable),
      ...(this.#beyond > 0 ? [`  … and ${this.#beyond} more`] : []),
      ...Array.from(this.#fixes, ([fix, { number, steps }]) => [
        `  → ${fix}`,
        ...NextStep.callsFor(steps, call, { number }).map((line) => `      ${line}`)
      ]).flat()
    ].join("\n")
  }
}

/** For a rejected document, the authority's codes explain the reason. */
const fixOf = ({
  cause,
  state
}: Reported): { readonly text: string; readonly steps: ReadonlyArray<Step.Step> } | undefined => {
  const code = state === "Held" && cause !== null ? `HELD_${cause}` : state
  const entry = CodeEntry.find(KnownCodes.coreCodes, code)
  if (entry === undefined) return undefined
  return { text: `${cause === null ? state : `${state} (${cause})`}: ${entry.fix}`, steps: entry.steps ?? [] }
}
