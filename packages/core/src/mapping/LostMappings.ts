/** Rows of the gateway's mappings that cannot be read: each may be the one that seems to be missing, so nothing is sent by it or added in its place. */
import { Effect } from "effect"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import { type OperationId, operations } from "../gateway/contract/Operation.ts"

/** One row that was left out. */
export interface LostRow {
  /** The code that it maps; null where that cannot be read either. */
  readonly code: string | null
  /** Which row it is, and why it cannot be read. */
  readonly because: string
}

/** The rows that were left out of both lists. */
export interface LostMappings {
  readonly taxes: ReadonlyArray<LostRow>
  readonly currencies: ReadonlyArray<LostRow>
}

/** Returns what was left out of the lists that the gateway answered last. */
export const read = ({ misfits }: Pick<GatewayOperations, "misfits">): Effect.Effect<LostMappings> =>
  Effect.map(misfits, (answers) => {
    const rowsOf = (asked: OperationId): ReadonlyArray<LostRow> =>
      answers
        .filter(({ operation }) => operation === asked)
        .flatMap(({ misfits }) => misfits.filter(({ follows }) => follows === "row"))
        .map(({ field, of = null, problem }) => ({
          code: of,
          because: `row ${field} of ${operations[asked].name}: ${problem}`
        }))
    return { taxes: rowsOf("taxMappings"), currencies: rowsOf("currencyMappings") }
  })

/** Returns the row that may map the code; a code that a readable row maps can only be in a row that names exactly this code. */
export const mayMap = (rows: ReadonlyArray<LostRow>, code: string, isMapped: boolean): LostRow | undefined =>
  rows.find((row) => row.code === code) ?? (isMapped ? undefined : rows.find((row) => row.code === null))
