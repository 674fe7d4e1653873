/** Imports of which the store did not take some documents when they were handed over, by whichever process: said until an operator ends them. */
import type { KeptImport } from "@fiscal-connector/core/unstable/submission/KeptImport"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Effect } from "effect"
import type { CallShape } from "../output/Call.ts"
import { printable } from "../output/Terminal.ts"

/** Incomplete imports of the accounts, without one that has just been shown whole. */
export const find = (accounts: ReadonlyArray<string>, shown: number | null = null) =>
  accounts.length === 0
    ? Effect.succeed([])
    : Effect.map(
        SubmissionStore.use((store) => store.imports({ accounts, standings: ["incomplete"] })),
        (found) => found.filter(({ id }) => id !== shown)
      )

/** Empty where there are none. */
export const report = (found: ReadonlyArray<KeptImport>, call: CallShape): string =>
  found
    .map(({ files, id }) => {
      const of = files.length === 0 ? "" : ` (${files.map(({ name }) => name).join(", ")})`
      const look = call.next({ command: ["imports"], operands: [String(id)], as: ["config", "store"] })
      return `${printable(`Some documents of import ${id}${of} could not be planned, and are not sent.`)} This shows them with their reasons:\n  ${look}`
    })
    .join("\n")

export const toJson = (found: ReadonlyArray<KeptImport>): ReadonlyArray<number> => found.map(({ id }) => id)
