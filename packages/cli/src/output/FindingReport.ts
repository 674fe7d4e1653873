/** One entry per cause for any number of rows, with up to five places. */
import { type Finding, Provenance } from "@fiscal-connector/core/adapter"
import { flagOf } from "./AnswerFlag.ts"
import type { CallShape } from "./Call.ts"
import * as NextStep from "./NextStep.ts"
import { printable } from "./Terminal.ts"
import { paragraphs } from "./Paragraphs.ts"

export interface ReportedFinding {
  readonly finding: Finding.Finding
  readonly subject: string | undefined
  readonly account?: string
}

const shown = 5

const place = ({ finding, subject }: ReportedFinding): string => {
  const { at, detail } = finding
  const where = at === undefined ? "" : Provenance.format(at)
  const text = at?.text === undefined || at.text === "" ? "" : ` "${at.text.slice(0, 60)}"`
  const figures = detail === text.trim() || detail === at?.text ? undefined : detail
  return printable([subject, `${where}${text}`, figures].filter(Boolean).join("  "))
}

/** Maximum number of different causes kept in memory and printed. */
const shownCauses = 200

export class Causes {
  readonly #causes = new Map<string, { count: number; readonly first: Array<ReportedFinding> }>()
  #beyond = 0

  add(found: ReportedFinding): void {
    const key = `${found.finding.code}\u0000${found.finding.message}`
    const known = this.#causes.get(key)
    if (known === undefined && this.#causes.size === shownCauses) {
      this.#beyond += 1
      return
    }
    const cause = known ?? { count: 0, first: [] }
    if (known === undefined) this.#causes.set(key, cause)
    cause.count += 1
    if (cause.first.length < shown) cause.first.push(found)
  }

  report(call: CallShape): string {
    const causes = Array.from(this.#causes.values(), ({ count, first }) => {
      const { answers = [], at, code, consequence, fix, message } = first[0]!.finding
      const calls = first.flatMap(({ account, finding: { steps }, subject }) =>
        NextStep.callsFor(steps, call, { number: subject, account })
      )
      return [
        `  ${code}: ${printable(message)}${count === 1 ? "" : ` (${count} times)`}`,
        ...first.flatMap((one) => place(one) || []).map((text) => `    ${text}`),
        ...(count > shown ? [`    … and ${count - shown} more`] : []),
        `    → ${consequence}`,
        `    → ${fix}`,
        ...[...answers.map((answer) => flagOf(answer, at?.file)), ...new Set(calls)].map((line) => `      ${line}`)
      ].join("\n")
    })
    return paragraphs([...causes, this.#beyond > 0 ? `  … and ${this.#beyond} findings of other causes` : ""])
  }
}

export const report = (found: ReadonlyArray<ReportedFinding>, call: CallShape): string => {
  const causes = new Causes()
  for (const one of found) causes.add(one)
  return causes.report(call)
}
