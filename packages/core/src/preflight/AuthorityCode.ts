/** Codes of the authority in the text of an Error (STAT-3), with what they mean and what to do. */
import type { FindingCode } from "../finding/FindingCode.ts"
import { deviceCodes } from "./DeviceStanding.ts"
import { receiptRules } from "./ReceiptRule.ts"

/** A code as it occurs in a text; `known` is absent for one that no rule of ours describes. */
export interface AuthorityCode {
  readonly code: string
  readonly known: FindingCode | undefined
}

const catalogue = new Map([...receiptRules, ...deviceCodes].map((code) => [code.code, code]))

/** Every code in the text, in the order in which they first occur. */
export const inText = (text: string): ReadonlyArray<AuthorityCode> =>
  [...new Set(text.slice(0, 10_000).match(/\b(RCPT\d{3}|DEV\d{2})\b/g))].map((code) => ({
    code,
    known: catalogue.get(code)
  }))

/** One line per code, for people: `RCPT025: The device does not apply … → what to do`. */
export const explain = (text: string): ReadonlyArray<string> =>
  inText(text).map(({ code, known }) =>
    known === undefined
      ? `${code}: a code of the authority that nothing is known of here → give the whole text to the gateway's support`
      : `${code}: ${known.meaning} → ${known.fix}`
  )
