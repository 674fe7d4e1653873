/** Numbers of prepared credit notes: a rule with the number of the invoice and a count. Pure. */

export const standard = "{original}-C{n}"

export const problem = (rule: string): string | null => {
  const parts = rule.split(/\{original\}|\{n\}/)
  if (!rule.includes("{original}") || !rule.includes("{n}") || parts.length !== 3)
    return `expected {original} and {n}, each once, as in ${standard}`
  // without a sign between, two invoices could have the same number of a note
  return /\D/.test(parts[1]!) ? null : "expected a sign other than a digit between {original} and {n}"
}

export const make = (rule: string, original: string, n: number): string =>
  rule.replace("{n}", String(n)).replace("{original}", () => original)

/** Returns a pattern of SQL for every number of the rule, and for others. */
export const likeOf = (rule: string): string => rule.replaceAll("\\", "_").replaceAll(/\{(?:original|n)\}/g, "%")

export const originalsOf = (rule: string, number: string): ReadonlyArray<string> => {
  const [before = "", between = "", after = ""] = rule.split(/\{original\}|\{n\}/)
  if (!number.startsWith(before) || !number.endsWith(after)) return []
  const rest = number.slice(before.length, number.length - after.length)
  const isOriginalFirst = rule.indexOf("{original}") < rule.indexOf("{n}")
  const found: Array<string> = []
  for (let at = rest.indexOf(between); at >= 0; at = rest.indexOf(between, at + 1)) {
    const sides = [rest.slice(0, at), rest.slice(at + between.length)]
    const [original, n] = isOriginalFirst ? sides : sides.toReversed()
    if (original !== "" && /^[1-9]\d*$/.test(n!)) found.push(original!)
  }
  return found
}
