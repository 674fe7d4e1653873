/**
 * Reason of an operator's decision. Only the operator knows it: printed commands and forms have a
 * placeholder in its place, and every decision refuses the placeholder.
 */

/** Returns the placeholder for a reason, for every printed command. */
export const placeholder = (what: string): string => `<${what}>`

const isPlaceholder = (because: string): boolean => /^<[^<>]*>$/.test(because.trim())

/** Returns what the reason lacks, or null if it is a reason. */
export const problem = (because: string): string | null => {
  if (because.trim() === "") return "a decision needs a reason"
  return isPlaceholder(because)
    ? `a decision needs your reason, and ${because.trim()} only marks its place: write what you saw or did`
    : null
}
