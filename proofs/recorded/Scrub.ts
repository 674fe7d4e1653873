/**
 * Replaces what differs from run to run: folders, ports, times, durations, and random ids. Equal
 * values get equal names, so that a mixed-up id is seen.
 */

/** A kind of value with its pattern. Values are numbered in the order of their first appearance. */
const kinds = [
  ["uuid", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ["code", /\b[0-9A-F]{4}(?:-[0-9A-F]{4}){3}\b/g],
  ["hash", /\b[0-9a-f]{16,}\b/gi],
  ["signature", /(?<=X-Api-Signature: )\S+/gi],
  ["first-use", /\b1001-[0-9A-F]{4}\b/g]
] as const

/** Values without an identity: one name for all. */
const times = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, "<time>"],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d/g, "<time>"],
  [/(?<=<port>|127\.0\.0\.1:\d+)\/[\w-]{32}\/open\?key=[\w-]{32}/g, "/<secret>/open?key=<secret>"],
  [/(?<=(?:data-away|value)=")[\w-]{32}(?=")/g, "<secret>"],
  [/<path class="qr-ink"[^>]*>/g, "<qr>"],
  [/(?<=data-standing=")[^"]*/g, "<standing>"],
  [/(?<=<code>)[0-9A-F]{4}-[0-9A-F]{4}(?=<)/g, "<code>"],
  [/\b\d{8}T\d{6}Z\b/g, "<time>"],
  [/\block\/[^/\s"]+\/\d+\/[0-9a-f]+/g, "<worker>"],
  [/\b\d+ days left\b/g, "<number> days left"],
  [/\b\d+ bytes\b/g, "<number> bytes"],
  [/(?<=fiscal-connector-)[0-9a-f]{8}\b/g, "<id>"],
  [/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, "<clock>"],
  [/(?<=\b\d{1,2} [A-Z][a-z]{2} \d{4}, )\d\d:\d\d\b/g, "<clock>"],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|seconds?|min|minutes?)\b/g, "<duration>"],
  [/(127\.0\.0\.1|localhost):\d+/g, "$1:<port>"],
  [/(?<="(?:millis|pid|seconds[A-Za-z]*|at|bytes)":)\d+(?:\.\d+)?/g, "<number>"]
] as const

/** A scrubber with a memory of the values so far. */
export type Scrub = (text: string) => string

/** Makes a scrubber for a run in this folder on this day. */
export const make = (folder: string, today: string): Scrub => {
  const names = new Map<string, string>()
  const nameOf = (kind: string, value: string): string => {
    const known = names.get(value) ?? `<${kind} ${names.size + 1}>`
    names.set(value, known)
    return known
  }
  return (text) => {
    let plain = text.replaceAll(folder, "<folder>")
    for (const [pattern, name] of times) plain = plain.replace(pattern, name)
    plain = plain.replaceAll(today, "<today>")
    for (const [kind, pattern] of kinds) plain = plain.replace(pattern, (value) => nameOf(kind, value))
    return plain
  }
}
