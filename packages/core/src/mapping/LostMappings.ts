/**
 * An unreadable row may be the mapping that seems to be missing, so its documents are not sent and
 * no mapping is added.
 */
import { Effect } from "effect"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import { type OperationId, operations } from "../gateway/contract/Operation.ts"

export interface LostRow {
  readonly code: string | null
  readonly text: string
}

export interface LostMappings {
  readonly taxes: ReadonlyArray<LostRow>
  readonly currencies: ReadonlyArray<LostRow>
}

export const read = ({ misfits }: Pick<GatewayOperations, "misfits">): Effect.Effect<LostMappings> =>
  Effect.map(misfits, (answers) => {
    const rowsOf = (asked: OperationId): ReadonlyArray<LostRow> =>
      answers
        .filter(({ operation }) => operation === asked)
        .flatMap(({ misfits }) => misfits.filter(({ follows }) => follows === "row"))
        .map(({ field, of = null, text }) => ({
          code: of,
          text: `row ${field} of ${operations[asked].name}: ${text}`
        }))
    return { taxes: rowsOf("taxMappings"), currencies: rowsOf("currencyMappings") }
  })

/**
 * Returns the unreadable row that may map the code. If a readable row maps the code, only a row
 * that names exactly this code is returned.
 */
export const mayMap = (rows: ReadonlyArray<LostRow>, code: string, isMapped: boolean): LostRow | undefined =>
  rows.find((row) => row.code === code) ?? (isMapped ? undefined : rows.find((row) => row.code === null))
