import { bound, cellsOfDocument } from "../columns/Binding.ts"
import { type Columns, columnsOf } from "../columns/ColumnMap.ts"
import { columnsNamed, indexOf } from "../columns/Header.ts"
import type { FoundHeader } from "../detect/FoundHeader.ts"
import { examplesOf, quoted, wordLines } from "./ProposalLines.ts"
import { reference, type SeenColumn } from "./SeenColumns.ts"

export const laidOver = (
  file: string,
  { binding, cells, layout, map, name }: FoundHeader,
  seen: ReadonlyArray<SeenColumn>
): ReadonlyArray<string> => {
  const read = bound(binding)
  const index = indexOf(cells)
  const { taxes, ...fields } = map.columns
  const known = Object.entries(fields as { readonly [field: string]: Columns }).flatMap(([field, columns]) => {
    const there = columnsOf(columns).filter((one) => placesOf(one).length > 0)
    const examples = there.flatMap(placesOf).flatMap((cell) => [...(seen[cell]?.examples ?? [])])
    const [first, other] = there
    return first === undefined
      ? []
      : [`"${field}": ${JSON.stringify(other === undefined ? first : there)}, // ${quoted(examples) || "always blank"}`]
  })
  function placesOf(column: ReturnType<typeof columnsOf>[number]) {
    return columnsNamed(index, typeof column === "string" ? column : column.column)
  }
  const unread = seen.filter((column, cell) => column.name !== "" && !read.has(cell))
  const commented = (lines: ReadonlyArray<string>) =>
    lines.map((line) => (/^ {4}"/.test(line) ? `    // ${line.trim()}` : line))
  const wordsOf = (field: "kind" | "status") => seen[cellsOfDocument(binding, field)[0] ?? -1]
  return [
    `  // Proposed from ${file}, which has the header of the ${name}. It is read like that without a column map;`,
    "  // this map is laid over it: take the slashes from a line and change it where your file differs.",
    '  "version": 1,',
    `  "base": "${layout}",`,
    '  "columns": {',
    ...[...known, ...(taxes === undefined ? [] : [`"taxes": ${JSON.stringify(taxes)},`])].map(
      (line) => `    // ${line}`
    ),
    ...unread.map((column) => `    // not read: ${JSON.stringify(reference(column))} (${examplesOf(column)})`),
    "  },",
    ...commented(wordLines("kinds", wordsOf("kind"), map)),
    ...commented(wordLines("statuses", wordsOf("status"), map)),
    '  "settings": {',
    ...Object.entries(map.settings ?? {}).map(
      ([setting, value]) => `    // ${JSON.stringify(setting)}: ${JSON.stringify(value)},`
    ),
    "  }"
  ]
}
