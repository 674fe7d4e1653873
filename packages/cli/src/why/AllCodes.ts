/** Every code that this command can show: the codes of core and of the adapters. */
import { KitFinding } from "@fiscal-connector/adapter-kit/KitFinding"
import type { CodeEntry } from "@fiscal-connector/core/unstable/codes/CodeEntry"
import { coreCodes, ofCatalogue } from "@fiscal-connector/core/unstable/codes/KnownCodes"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import { systemCodes } from "./SystemCodes.ts"
import { systems } from "../format/Formats.ts"
import { flagOf } from "../output/AnswerFlag.ts"

/** Adds the deciding flags to the fix, if any. */
const withFlags = (catalogue: Readonly<Record<string, FindingCode>>): Readonly<Record<string, FindingCode>> =>
  Object.fromEntries(
    Object.entries(catalogue).map(([code, entry]) => {
      const flags = (entry.answers ?? []).map((answer) => `\`${flagOf(answer)}\``)
      return [code, flags.length === 0 ? entry : { ...entry, fix: `${entry.fix} Flags: ${flags.join(", ")}.` }]
    })
  )

/** Loads every code. */
export const allCodes = async (): Promise<ReadonlyArray<CodeEntry>> => {
  const ofSystems = await Promise.all(
    systems.map(async ({ codes }) =>
      codes === undefined ? [] : ofCatalogue(`Findings about ${codes.about}`, withFlags(await codes.load()))
    )
  )
  return [
    ...coreCodes,
    ...ofSystems.flat(),
    ...ofCatalogue("Findings about an export that an adapter of the kit reads", withFlags(KitFinding)),
    ...systemCodes
  ]
}
