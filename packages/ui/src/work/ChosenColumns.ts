import type { ColumnsSeen, SeenColumn } from "./Workplace.ts"

/**
 * Fields that were chosen for several columns: two columns that state one thing may contradict each other. What the file itself proposed for several
 * columns is left as it is.
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

/** The column map of what was chosen, every column in it; taxes are their own list. */
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
