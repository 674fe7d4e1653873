/**
 * Recognizes status items that are not results, but report that the gateway does not know the
 * request id (STAT-9).
 */
import { withoutTrailing } from "../../document/TextEdges.ts"
import type { AssumptionSwitches } from "../contract/AssumptionSwitches.ts"

// Replaces the request id of the item, with its quotes, before the pattern is applied.
const own = "#"

const determiner = "(?:the|this|that|your|given|specified|supplied|provided|requested)"
const idWord = `(?:id|ids|identifier|uuid|guid)`
/**
 * Matches `Request`, `request id`, `the given RequestId`, `Request with id #`, `id`, but not the id
 * of a tax, a device or an original.
 */
const subject = `(?:${determiner} )*(?:request(?:[ _-]?${idWord})?|${idWord})(?:(?: (?:with|having))?(?: ${determiner})?(?: ${idWord})?(?: is|:|=)? ?${own})?`
const missing = "(?:found|known|recogni[sz]ed|existing|existent|located)"
const verb = "(?:(?:is|was|are|were|has been|have been|could|can|does|did|do) ?)"
const lacks = `(?:${verb}?(?:not|n't|cannot) ?(?:be )?(?:been )?(?:yet )?(?:${missing}|exists?)|${verb}?(?:unknown|non-?existent|unrecogni[sz]ed)|cannot be ${missing}|can't be ${missing})`
const about = `(?:(?:for|with|matching|by) (?:${subject}|${own}))`
/** Matches the whole normalized text. */
export const usual = new RegExp(
  [
    `${subject} ${lacks}`,
    `(?:unknown|non-?existent|unrecogni[sz]ed|no such) ${subject}`,
    `(?:not found|unknown): ?${subject}`,
    `(?:could not|couldn't|cannot|can't|unable to) (?:find|locate|recogni[sz]e) ${subject}`,
    `(?:there is )?no (?:such )?request(?: (?:was |could be )?(?:found|known|exists?))?(?: ${about})?`,
    `no (?:request|result|status|record|entry|data)(?: (?:was |could be )?found)? ${about}`
  ]
    .map((form) => `^(?:${form}(?: (?:yet|any ?more|any longer))?)$`)
    .join("|")
)

/** The relevant part of a status item. */
type Item = {
  readonly requestId: string
  readonly unknownFields?: Readonly<Record<string, unknown>>
} & (
  | { readonly _tag: "Pending" | "Fiscalised" | "Contradictory" }
  | { readonly _tag: "Rejected"; readonly error: string }
)

/** Maximum characters of such a text: a longer text has further content. */
const longest = 300

const compiled = new Map<string, RegExp>()

/** Compiles the pattern of the account, for the whole text. */
export const patternOf = (text: string): RegExp => {
  const known = compiled.get(text) ?? new RegExp(`^(?:${text})$`, "iu")
  compiled.set(text, known)
  return known
}

/** Normalizes case, blanks, quotes around the id, and the full stop. */
const normalized = (text: string, requestId: string): string => {
  const plain = text
    .replaceAll(requestId, own)
    .replace(/["'`´‘’“”([<{]\s*#\s*["'`´‘’“”)\]>}]/g, own)
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, " ")
    .trim()
  return withoutTrailing(plain, ".!").toLowerCase()
}

/**
 * Returns true if a rejection from `/status` only reports that the request id is unknown: no proof,
 * no code of the authority, no further text. Do not use for webhook deliveries, which the gateway
 * sends after processing.
 */
export const is = (item: Item, switches: Pick<AssumptionSwitches, "STAT-9">): boolean => {
  const pattern = switches["STAT-9"]
  if (item._tag !== "Rejected" || pattern === "none" || item.unknownFields?.["QrData"] !== undefined) return false
  if (item.error.length > longest || /\b(?:RCPT|DEV)\d+/i.test(item.error)) return false
  return pattern === "usual"
    ? usual.test(normalized(item.error, item.requestId))
    : patternOf(pattern).test(item.error.trim())
}
