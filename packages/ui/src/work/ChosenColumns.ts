/** Checks the operator's choice of columns and converts it into a column map. */
import type { ColumnsSeen, SeenColumn } from "./Workplace.ts"

/**
 * Returns fields chosen for several columns. Two columns for the same field may contradict each
 * other. Repetitions in the file's own proposal are accepted.
 */
export const takenTwice = (
  proposed: ReadonlyArray<SeenColumn>,
  chosen: ReadonlyArray<SeenColumn>
): ReadonlyArray<{ readonly field: string; readonly columns: ReadonlyArray<string> }> =>
  Array.from(
    Map.groupBy(
      chosen.filter(({ field }) => field !== null),
      ({ field }) => field ?? ""
    ),
    ([field, columns]) => ({ field, columns: columns.map(({ name }) => name) })
  ).filter(
    ({ columns, field }) => columns.length > Math.max(1, proposed.filter((column) => column.field === field).length)
  )

/** Returns the column map of the choices with every column. Taxes have a separate list. */
export const mapOf = ({ columns, rest }: Pick<ColumnsSeen, "columns" | "rest">): object => {
  const chosen = new Map<string, ReadonlyArray<unknown>>()
  for (const { field, reference } of columns) {
    if (field !== null) chosen.set(field, [...(chosen.get(field) ?? []), reference])
  }
  const fields = Array.from(
    chosen,
    ([field, [only, ...others]]) => [field, others.length === 0 ? only : [only, ...others]] as const
  )
  const tax = Object.fromEntries(
    fields.flatMap(([field, named]) => (field.startsWith("tax.") ? [[field.slice(4), named] as const] : []))
  )
  const plainFields = Object.fromEntries(fields.filter(([field]) => !field.startsWith("tax.")))
  return {
    version: 1,
    ...rest,
    columns: { ...plainFields, ...(Object.keys(tax).length > 0 && { taxes: [tax] }) }
  }
}
