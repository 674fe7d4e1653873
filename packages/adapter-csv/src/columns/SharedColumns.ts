import { Result } from "effect"
import { type Binding, usesOf } from "./Binding.ts"

const mayShare = new Set([
  "id",
  "number",
  "original",
  "originalId",
  "replaces",
  "reference",
  "reason",
  "kind",
  "status",
  "paymentMethod",
  "customerId",
  "customerName",
  "customerTradeName",
  "province",
  "street",
  "houseNo",
  "city",
  "description",
  "productCode",
  "account",
  "lineId",
  "taxes: code",
  "taxes: taxable",
  "documentTaxes"
])

/**
 * Other pairs of fields that may share a column: a percent that distinguishes taxes, and a document
 * date that is also the time of the last change.
 */
const pairs: ReadonlyArray<readonly [string, string]> = [
  ["taxes: code", "taxes: percent"],
  ["documentTaxes", "documentTaxPercents"],
  ["date", "modified"]
]

const mayBoth = (one: string, other: string): boolean =>
  (mayShare.has(one) && mayShare.has(other)) || pairs.some((pair) => pair.includes(one) && pair.includes(other))

/**
 * Fails with one sentence for each column read as two incompatible fields. `among`: columns to
 * check; default all.
 */
export const refused = (
  binding: Binding,
  header: ReadonlyArray<string>,
  among?: ReadonlySet<number>
): Result.Result<Binding, ReadonlyArray<string>> => {
  const fields = new Map<number, Set<string>>()
  for (const { cells, field } of usesOf(binding).filter((use) => !use.field.startsWith("table: ")))
    for (const cell of cells)
      if (among?.has(cell) !== false) fields.set(cell, (fields.get(cell) ?? new Set()).add(field))
  const problems = [...fields].flatMap(([cell, all]) => {
    const [first, ...others] = all
    const twice = [first!, ...others].flatMap((one, i) =>
      others.slice(i).flatMap((other) => (mayBoth(one, other) ? [] : [`\`${one}\` and \`${other}\``]))
    )
    return twice.length === 0 ? [] : [`the column "${header[cell]}" cannot state both ${twice[0]}`]
  })
  return problems.length === 0 ? Result.succeed(binding) : Result.fail(problems)
}
