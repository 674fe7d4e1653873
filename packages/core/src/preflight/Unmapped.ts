/**
 * Unknown spellings of a batch, each once: number of documents, examples, candidates on the device.
 * Pure.
 */
import { BigDecimal, Option } from "effect"
import * as Money from "../document/Money.ts"
import type { Finding, Unmapped } from "../finding/Finding.ts"
import type { DeviceTax } from "./DeviceFacts.ts"

export interface UnmappedCode extends Pick<Unmapped, "what" | "spelling" | "account" | "product"> {
  readonly documents: number
  readonly examples: ReadonlyArray<string>
  readonly percents: ReadonlyArray<string>
  readonly since: string | undefined
  readonly until: string | undefined
}

export interface UnmappedCodes {
  add(number: string, findings: ReadonlyArray<Finding>): void
  readonly codes: ReadonlyArray<UnmappedCode>
  readonly beyond: "none" | "some"
}

/**
 * Maximum number of spellings kept. With more, the column does not contain tax codes or currencies.
 */
const kept = 200

export const make = (): UnmappedCodes => {
  const groups = new Map<string, UnmappedCode>()
  let beyond: UnmappedCodes["beyond"] = "none"
  return {
    add: (number, findings) => {
      const ofDocument = new Set<string>()
      for (const { unmapped } of findings) {
        if (unmapped === undefined) continue
        const { account, product, spelling, what } = unmapped
        const key = JSON.stringify([what, spelling, account, product])
        const known = groups.get(key)
        if (known === undefined && groups.size === kept) {
          beyond = "some"
          continue
        }
        groups.set(key, joined(known ?? nothing(unmapped), unmapped, ofDocument.has(key) ? undefined : number))
        ofDocument.add(key)
      }
    },
    get codes() {
      return [...groups.values()]
    },
    get beyond() {
      return beyond
    }
  }
}

const nothing = ({ account, product, spelling, what }: Unmapped): UnmappedCode => ({
  what,
  spelling,
  ...(account !== undefined && { account }),
  ...(product !== undefined && { product }),
  documents: 0,
  examples: [],
  percents: [],
  since: undefined,
  until: undefined
})

const joined = (code: UnmappedCode, { day, percent }: Unmapped, number: string | undefined): UnmappedCode => ({
  ...code,
  documents: code.documents + (number === undefined ? 0 : 1),
  examples: number === undefined || code.examples.length === 3 ? code.examples : [...code.examples, number],
  percents: percent === undefined || code.percents.includes(percent) ? code.percents : [...code.percents, percent],
  since: day === undefined || (code.since ?? day) < day ? code.since : day,
  until: day === undefined || (code.until ?? day) > day ? code.until : day
})

/**
 * Returns the device's taxes that the spelling can mean: valid on a day of use and, if the export
 * states percents, with one of them.
 */
export const candidates = (
  { percents, since, until }: UnmappedCode,
  taxes: ReadonlyArray<DeviceTax>
): ReadonlyArray<DeviceTax> =>
  taxes.filter(
    (tax) =>
      (tax.since ?? "") <= (until ?? "9999") &&
      (since ?? "") <= (tax.until ?? "9999") &&
      // an export also states 0 for exempt
      (percents.length === 0 || percents.some((percent) => isPercent(percent, tax.percent ?? Money.zero)))
  )

/**
 * True if two of the taxes are valid on the same day: only the operator can then choose.
 */
export const overlap = (taxes: ReadonlyArray<DeviceTax>): boolean =>
  taxes.some((a, i) =>
    taxes.slice(0, i).some((b) => (a.since ?? "") <= (b.until ?? "9999") && (b.since ?? "") <= (a.until ?? "9999"))
  )

const isPercent = (text: string, percent: Money.Money): boolean =>
  Option.exists(Money.parse(text), (stated) => BigDecimal.equals(stated, percent))
