import type { Item, JoinKit, Lookup } from "@fiscal-connector/adapter-kit"
import type { Adapter, Instant } from "@fiscal-connector/core/adapter"
import { idIn, modelOf } from "./Model.ts"

export interface Joined {
  readonly moves: ReadonlySet<string>
  readonly lines: Lookup
  readonly linesOf: ReadonlyMap<string, ReadonlySet<string>>
  readonly taxes: Lookup
  readonly taxesOf: ReadonlyMap<string, ReadonlySet<string>>
  readonly partners: Lookup
  readonly currencies: Lookup
}

/** The export stores UTC without a zone. */
export const modifiedOf = (record: Item): Instant.Instant | undefined =>
  record.optional.instant("write_date", { zone: "+00:00" })

const added = (map: Map<string, Set<string>>, key: string | undefined, value: string | undefined): void => {
  if (key !== undefined && value !== undefined) map.set(key, (map.get(key) ?? new Set()).add(value))
}

export const join = async (
  files: ReadonlyArray<Adapter.InputFile>,
  { json, newLookup }: JoinKit<object>
): Promise<Joined> => {
  const lookups = { line: newLookup(), tax: newLookup(), partner: newLookup(), currency: newLookup() }
  const moves = new Set<string>()
  const linesOf = new Map<string, Set<string>>()
  const taxesOf = new Map<string, Set<string>>()
  for (const file of files)
    for await (const record of json.items(file, "/*")) {
      const model = modelOf(record)
      if (model === undefined) continue
      if (model === "tax of a line") {
        added(taxesOf, idIn(record, "account_move_line_id"), idIn(record, "account_tax_id"))
        continue
      }
      const id = record.optional.text("id")
      if (id === undefined) continue
      if (model === "move") moves.add(id)
      else lookups[model].add(id, record)
      if (model === "line") added(linesOf, idIn(record, "move_id"), id)
    }
  const { currency: currencies, line: lines, partner: partners, tax: taxes } = lookups
  return { moves, lines, linesOf, taxes, taxesOf, partners, currencies }
}
