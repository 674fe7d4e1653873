/** Proposes a map for a known header: an extension of the known layout that changes nothing. */
import { type Binding, bound, cellsOfDocument } from "../columns/Binding.ts"
import { type DocumentField, documentFields, type LineField, lineFields } from "../columns/Field.ts"
import type { FoundHeader } from "../detect/FoundHeader.ts"
import { quoted } from "./ProposalLines.ts"
import { reference, type Seen } from "./SeenColumns.ts"

/** Returns the proposal. Every line is a comment: only edited lines change the layout. */
export const laidOver = (
  file: string,
  { binding, layout, map, name }: FoundHeader,
  seen: ReadonlyArray<Seen>
): string => {
  const read = bound(binding)
  const unread = seen.filter((column, cell) => column.name !== "" && !read.has(cell))
  return [
    "{",
    `  // Proposed from ${file}, which has the header of the ${name}. It is read like that without a column map;`,
    "  // this map is laid over it: take the slashes from a line and change it where your file differs.",
    '  "version": 1,',
    `  "base": "${layout}",`,
    '  "columns": {',
    ...fieldsOf(binding, seen).map((line) => `    // ${line}`),
    ...unread.map(
      (column) =>
        `    // not read: ${JSON.stringify(reference(column))} (${quoted([...column.examples]) || "always blank"})`
    ),
    "  },",
    ...words("kinds", map.kinds, seen, binding, "kind"),
    ...words("statuses", map.statuses, seen, binding, "status"),
    '  "settings": {',
    ...Object.entries(map.settings ?? {}).map(
      ([setting, value]) => `    // ${JSON.stringify(setting)}: ${JSON.stringify(value)},`
    ),
    "  }",
    "}",
    ""
  ]
    .map((line) => line.replaceAll(/[\r\n]+/g, " "))
    .join("\n")
}

const fieldsOf = (binding: Binding, seen: ReadonlyArray<Seen>): ReadonlyArray<string> => {
  const entries = (field: string, cells: ReadonlyArray<number>) => {
    const columns = cells.flatMap((cell) => seen[cell] ?? [])
    const [first, other] = columns.map(reference)
    const examples = quoted(columns.flatMap(({ examples }) => [...examples])) || "always blank"
    return first === undefined
      ? []
      : [`"${field}": ${JSON.stringify(other === undefined ? first : columns.map(reference))}, // ${examples}`]
  }
  const ofDocument = (Object.keys(documentFields) as Array<DocumentField>).flatMap((field) =>
    entries(field, cellsOfDocument(binding, field))
  )
  const ofLines = (Object.keys(lineFields) as Array<LineField>).flatMap((field) => entries(field, binding.line[field]))
  const taxes = binding.taxes.map(({ amount, code, percent }) =>
    Object.fromEntries(
      Object.entries({ code, percent, amount }).flatMap(([part, [cell]]) =>
        cell === undefined || seen[cell] === undefined ? [] : [[part, reference(seen[cell])]]
      )
    )
  )
  return [...ofDocument, ...ofLines, ...(taxes.length === 0 ? [] : [`"taxes": ${JSON.stringify(taxes)},`])]
}

/**
 * Returns the layout's meaning of the words in a column; unknown words are left to the operator.
 */
const words = (
  section: "kinds" | "statuses",
  known: { readonly [word: string]: string } | undefined,
  seen: ReadonlyArray<Seen>,
  binding: Binding,
  field: "kind" | "status"
): ReadonlyArray<string> => {
  const column = seen[cellsOfDocument(binding, field)[0] ?? -1]
  if (column === undefined || column.examples.size === 0) return []
  const folded = new Map(Object.entries(known ?? {}).map(([word, meaning]) => [word.toLowerCase(), meaning]))
  const choices = field === "kind" ? "invoice, credit-note or skip" : "issued, refunded or skip"
  return [
    `  "${section}": {`,
    ...[...column.examples].map(
      (word) =>
        `    // ${JSON.stringify(word)}: "${
          folded.get(
            word
              .trim()
              .toLowerCase()
              .replaceAll(/[\s_-]+/g, " ")
          ) ?? `… (${choices})`
        }",`
    ),
    "  },"
  ]
}
