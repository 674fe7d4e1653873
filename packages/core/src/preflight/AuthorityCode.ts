/** Codes of the authority in the text of an Error (STAT-3), with what they mean and what to do. */
import type { FindingCode } from "../finding/FindingCode.ts"
import { deviceCodes } from "./DeviceReadiness.ts"
import { receiptRules } from "./ReceiptRule.ts"

/** A code as it occurs in a text; one that no rule of ours describes says so. */
export interface AuthorityCode extends Pick<FindingCode, "code" | "meaning" | "fix"> {}

const catalogue: ReadonlyMap<string, FindingCode> = new Map(
  [...receiptRules, ...deviceCodes].map((code) => [code.code, code])
)

/** Every code in the text, in the order in which they first occur. */
export const inText = (text: string): ReadonlyArray<AuthorityCode> =>
  [...new Set(text.slice(0, 10_000).match(/\b(RCPT\d{3}|DEV\d{2})\b/g))].map((code) => {
    const { fix, meaning } = catalogue.get(code) ?? unknown
    return { code, meaning, fix }
  })

const unknown = {
  meaning: "a code of the authority that nothing is known of here",
  fix: "give the whole text to the gateway's support"
}

/** One line per code, for people: `RCPT025: The device does not apply … → what to do`. */
export const explain = (text: string): ReadonlyArray<string> =>
  inText(text).map(({ code, fix, meaning }) => `${code}: ${meaning} → ${fix}`)
