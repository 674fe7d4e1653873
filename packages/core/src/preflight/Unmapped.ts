/** What a batch uses and the mapping book does not know, once each: how often, where, and what the device has to map it to. Pure. */
import { BigDecimal, Option } from "effect"
import * as Money from "../document/Money.ts"
import type { Finding, Unmapped } from "../finding/Finding.ts"
import type { DeviceTax } from "./DeviceFacts.ts"

/** One spelling that nobody mapped, and who uses it. */
export interface UnmappedCode extends Pick<Unmapped, "what" | "spelling" | "account" | "product"> {
  /** Documents that use it. */
  readonly documents: number
  /** Up to three document numbers. */
  readonly examples: ReadonlyArray<string>
  /** Of a tax: the percents that the export states for it, and the first and last day on which it is used. */
  readonly percents: ReadonlyArray<string>
  readonly since: string | undefined
  readonly until: string | undefined
}

export interface UnmappedCodes {
  /** Takes the findings of one document, whatever they are about. */
  add(number: string, findings: ReadonlyArray<Finding>): void
  /** In the order in which they first occur. */
  readonly codes: ReadonlyArray<UnmappedCode>
  /** Spellings beyond those kept. */
  readonly beyond: "none" | "some"
}

/** How many spellings are kept: more than these, and the column is no tax code or currency. */
const kept = 200

/** Groups what documents lack a mapping for, document by document. */
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

/** `number`: of a document that is not counted yet. */
const joined = (code: UnmappedCode, { day, percent }: Unmapped, number: string | undefined): UnmappedCode => ({
  ...code,
  documents: code.documents + (number === undefined ? 0 : 1),
  examples: number === undefined || code.examples.length === 3 ? code.examples : [...code.examples, number],
  percents: percent === undefined || code.percents.includes(percent) ? code.percents : [...code.percents, percent],
  since: day === undefined || (code.since ?? day) < day ? code.since : day,
  until: day === undefined || (code.until ?? day) > day ? code.until : day
})

/** The device's taxes that the spelling can mean: valid on some day of its use and, where the export states percents, of one of them. */
export const candidates = (
  { percents, since, until }: UnmappedCode,
  taxes: ReadonlyArray<DeviceTax>
): ReadonlyArray<DeviceTax> =>
  taxes.filter(
    (tax) =>
      (tax.since ?? "") <= (until ?? "9999") &&
      (since ?? "") <= (tax.until ?? "9999") &&
      // an export states exempt as 0 as well
      (percents.length === 0 || percents.some((percent) => isPercent(percent, tax.percent ?? Money.zero)))
  )

/** Whether two of them are valid on one day: only a person can say which is meant then. */
export const overlap = (taxes: ReadonlyArray<DeviceTax>): boolean =>
  taxes.some((a, i) =>
    taxes.slice(0, i).some((b) => (a.since ?? "") <= (b.until ?? "9999") && (b.since ?? "") <= (a.until ?? "9999"))
  )

const isPercent = (text: string, percent: Money.Money): boolean =>
  Option.exists(Money.parse(text), (stated) => BigDecimal.equals(stated, percent))
