import { KitFinding } from "@fiscal-connector/adapter-kit/KitFinding"
import { type CodeEntry, KnownCodes } from "@fiscal-connector/core/host/account"
import type { FindingCode } from "@fiscal-connector/core/adapter"
import { systemCodes } from "./SystemCodes.ts"
import { systems } from "../format/Formats.ts"
import { flagOf } from "../output/AnswerFlag.ts"

const withFlags = (
  catalogue: Readonly<Record<string, FindingCode.FindingCode>>
): Readonly<Record<string, FindingCode.FindingCode>> =>
  Object.fromEntries(
    Object.entries(catalogue).map(([code, entry]) => {
      const flags = (entry.answers ?? []).map((answer) => `\`${flagOf(answer)}\``)
      return [code, flags.length === 0 ? entry : { ...entry, fix: `${entry.fix} Flags: ${flags.join(", ")}.` }]
    })
  )

export const allCodes = async (): Promise<ReadonlyArray<CodeEntry.CodeEntry>> => {
  const ofSystems = await Promise.all(
    systems.map(async ({ codes }) =>
      codes === undefined ? [] : KnownCodes.ofCatalogue(`Findings about ${codes.about}`, withFlags(await codes.load()))
    )
  )
  return [
    ...KnownCodes.coreCodes,
    ...ofSystems.flat(),
    ...KnownCodes.ofCatalogue("Findings about an export that an adapter of the kit reads", withFlags(KitFinding)),
    ...systemCodes
  ]
}
