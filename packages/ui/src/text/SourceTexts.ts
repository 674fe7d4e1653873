import type { LiveSourceState } from "@fiscal-connector/core/store"
import { documents } from "./Texts.ts"

export const heading = "Accounting systems"
export const about = "New invoices and credit notes of these systems arrive without a file."
export const heads = ["System", "Last read", "Found then", "Next read"]

export const never = "not read yet"
export const unknown = "nothing known yet"
export const byHand = (source: string) => `when someone runs: connector sync ${source}`
export const due = "as soon as a worker runs: connector work"
export const notBefore = (at: string) => `not before ${at}: the system asked to wait`
export const first = "The first read is a plan: nothing was sent. The next read sends."
export const onlyPlans = "Every read only shows what it would send (consent is plan)."
export const refused = (count: number) => `${documents(count)} cannot be sent. Attention shows why.`
export const stopped = "Nothing is read at the moment:"
export const look = "Show what to do"

export const figures = (counts: LiveSourceState.LiveCounts): string => {
  const skipped = Object.values(counts.skipped).reduce((sum, n) => sum + n, 0)
  const parts = [
    [counts.new, "new"],
    [counts.changed, "changed"],
    [counts.unchanged, "unchanged"],
    [counts.refused, "refused"],
    [skipped, "skipped"]
  ] as const
  const shown = parts.filter(([n]) => n > 0).map(([n, word]) => `${n.toLocaleString("en")} ${word}`)
  return `${documents(counts.read)} read${shown.length === 0 ? "" : `: ${shown.join(", ")}`}`
}
