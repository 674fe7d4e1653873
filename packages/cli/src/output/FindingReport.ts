/** Findings as a person reads them: one entry per cause, however many rows it has, with every place that fits on a line. */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import { printable } from "./Terminal.ts"

/** A finding and whose it is: the document's number, where it has one. */
export interface Found {
  readonly finding: Finding
  readonly subject: string | undefined
}

const shown = 5

const place = ({ finding, subject }: Found): string => {
  const { at, detail } = finding
  const where = at === undefined ? "" : Provenance.format(at)
  const text = at?.text === undefined || at.text === "" ? "" : ` "${at.text.slice(0, 60)}"`
  const figures = detail === text.trim() || detail === at?.text ? undefined : detail
  return printable([subject, `${where}${text}`, figures].filter(Boolean).join("  "))
}

/** Grouped by code and message, in the order in which causes first appear. */
export const report = (found: ReadonlyArray<Found>): string =>
  Array.from(Map.groupBy(found, ({ finding }) => `${finding.code}\u0000${finding.message}`).values(), (ofCause) => {
    const { code, consequence, fix, message } = ofCause[0]!.finding
    const count = ofCause.length === 1 ? "" : ` (${ofCause.length} times)`
    const places = ofCause.slice(0, shown).map((one) => `    ${place(one)}`)
    const rest = ofCause.length > shown ? [`    … and ${ofCause.length - shown} more`] : []
    return [
      `  ${code}: ${printable(message)}${count}`,
      ...places,
      ...rest,
      `    → ${consequence}`,
      `    → ${fix}`
    ].join("\n")
  }).join("\n\n")
