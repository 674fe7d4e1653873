/** Finds codes of the authority in the text of an Error (STAT-3), with meaning and fix. */
import type { FindingCode } from "../finding/FindingCode.ts"
import { deviceCodes } from "./DeviceReadiness.ts"
import { receiptRules } from "../finding/ReceiptRule.ts"
import { authorityCodes } from "../submission/ledger/StatedFailure.ts"

export interface AuthorityCode extends Pick<FindingCode, "code" | "meaning" | "fix"> {}

const catalogue: ReadonlyMap<string, FindingCode> = new Map(
  [...receiptRules, ...deviceCodes].map((code) => [code.code, code])
)

/** Each code once, in the order of first occurrence. Reads the first 10 000 characters. */
export const inText = (text: string): ReadonlyArray<AuthorityCode> =>
  authorityCodes(text.slice(0, 10_000)).map((code) => {
    const { fix, meaning } = catalogue.get(code) ?? unknown
    return { code, meaning, fix }
  })

const unknown = {
  meaning: "a code of the authority that this program does not know",
  fix: "send the whole text to the gateway's support"
}

/** Returns one display row per code: `RCPT025: The device does not apply … → what to do`. */
export const explain = (text: string): ReadonlyArray<string> =>
  inText(text).map(({ code, fix, meaning }) => `${code}: ${meaning} → ${fix}`)
