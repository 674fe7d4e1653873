/** Reads the text of a failure that the gateway states: the mask for comparing, and rule codes. */
import { createHash } from "node:crypto"
import { withoutTrailing } from "../../document/TextEdges.ts"

// a longer mask does not fit the key of a table in every database
const longest = 300

const token = /[^\s"'`(),;:!?{}[\]<>=|]+/gu

/**
 * Returns the text without the request id and without every token that has a digit, so that two
 * texts about two requests are the same. The request id is null if the text is typed by an
 * operator.
 */
export const mask = (text: string, requestId: string | null): string => {
  const masked = (requestId === null ? text : text.replaceAll(requestId, "#"))
    .replace(token, (found) => (/[\p{N}#]/u.test(found) ? "#" : found))
    .replace(/\s+/g, " ")
    .trim()
  if (masked.length <= longest) return masked
  const digest = createHash("sha256").update(masked).digest("hex")
  return `${masked.slice(0, longest - digest.length - 1)}…${digest}`
}

// only a stop ends a sentence; every other mark may be of a path or a number whose rest is blank,
// such as "Queue /RCPT026/", "#RCPT043 of the queue" and "RCPT026- is queued"
const stop = "."
const name = /[\p{L}\p{N}\p{M}\-_/.#]+/gu

/**
 * Returns the codes of this form that are tokens of the text. A code that is glued to letters or
 * digits, also by `-`, `_`, `/`, `.` or `#`, is a part of a name and not returned. A code beside
 * one of these marks is not returned either, except before a stop.
 */
const codes = (text: string, form: RegExp): ReadonlyArray<string> => {
  const names = (text.match(name) ?? []).map((found) => withoutTrailing(found, stop))
  return [...new Set(names.filter((found) => form.test(found)))]
}

export const ruleCodes = (text: string): ReadonlyArray<string> => codes(text, /^RCPT\d{3}$/)

export const deviceCodes = (text: string): ReadonlyArray<string> => codes(text, /^DEV\d{2}$/)

export const authorityCodes = (text: string): ReadonlyArray<string> => codes(text, /^(?:RCPT\d{3}|DEV\d{2})$/)
