import type { Adapter, Answer } from "@fiscal-connector/core/adapter"
import { Result } from "effect"
import { type ChargeField, chargeFields } from "../columns/Field.ts"
import type { SettledReading } from "../detect/Questions.ts"
import { firstOf, mapOf, reference, type SeenColumn, taxOf } from "./SeenColumns.ts"
import type { WholeMap } from "../columns/ColumnMap.ts"
import type { FieldMeaning } from "../columns/Synonyms.ts"
import * as Vocabulary from "../columns/Vocabulary.ts"

export const examplesOf = ({ examples }: SeenColumn): string => quoted([...examples]) || "always blank"

export const quoted = (texts: ReadonlyArray<string>): string =>
  texts
    .slice(0, 3)
    .map((text) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text))
    .join(", ")

export const columnLines = (columns: ReadonlyArray<SeenColumn>): ReadonlyArray<string> => {
  const { columns: fields } = mapOf(columns)
  const used = new Set<SeenColumn>()
  const lines = Object.entries(fields).flatMap(([field, reference]) => {
    if (field === "taxes") return []
    const column = firstOf(columns, field as FieldMeaning)
    if (column === undefined) return []
    used.add(column)
    return [`    "${field}": ${JSON.stringify(reference)}, // ${examplesOf(column)}`]
  })
  const taxes = Object.values(taxOf(columns))
  for (const column of taxes) used.add(column)
  const missing = (["number", "date", "description", "quantity", "unitPrice"] as const).filter(
    (field) => fields[field] === undefined
  )
  return [
    ...lines,
    ...(fields.taxes === undefined
      ? [
          '    // "taxes": [{ "code": "…" }], no column is called like a tax code; the export needs one that names each line\'s tax'
        ]
      : [`    "taxes": ${JSON.stringify(fields.taxes)}, // ${taxes.map(examplesOf).join("; ")}`]),
    ...missing.map((field) => `    // "${field}": "…", no column is called like that`),
    ...columns
      .filter((column) => !used.has(column))
      .map((column) => {
        const name = column.name === "" ? "a column without a name" : JSON.stringify(reference(column))
        return `    // ${column.line === "further" ? "of a further line, read as the first is" : "not used"}: ${name} (${examplesOf(column)})`
      })
  ]
}

export const unreadLines = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.length === 0
    ? []
    : [
        `  // "unread": ${JSON.stringify(names)}, // they state figures by name: name them above, or pass over them like this`
      ]

export const chargeTaxLines = (columns: ReadonlyArray<SeenColumn>): ReadonlyArray<string> => {
  const untaxed = (Object.keys(chargeFields) as Array<ChargeField>).filter(
    (field) => firstOf(columns, field) !== undefined && firstOf(columns, `${field}TaxCode`) === undefined
  )
  const choices = untaxed.map((field) => `"${field}": "…"`).join(", ")
  return untaxed.length === 0 ? [] : [`    // "chargeTaxes": { ${choices} }: no column names the tax of these charges`]
}

export const wordLines = (
  section: "kinds" | "statuses",
  column: SeenColumn | undefined,
  map: WholeMap
): ReadonlyArray<string> => {
  if (column === undefined || column.examples.size === 0) return []
  const { kind, status } = Vocabulary.make(map)
  const choices = section === "kinds" ? "invoice, credit-note or skip" : "issued or skip"
  const words = [...column.examples].map((word) => {
    const meaning = section === "kinds" ? kind(word) : status(word)
    return meaning === undefined
      ? `    // ${JSON.stringify(word)}: ${choices}?`
      : `    ${JSON.stringify(word)}: "${meaning}",`
  })
  return [`  "${section}": {`, ...words, "  },"]
}

export const settingLines = <A>(
  name: string,
  settled: SettledReading<A>,
  say: (value: A) => readonly [value: string, because: string] | "" | undefined
): ReadonlyArray<string> =>
  Result.match(settled, {
    onFailure: (questions) => questions.map((question) => `    // "${name}": ${inOneLine(question)}`),
    onSuccess: (value) => {
      const entry = say(value)
      return entry ? [`    "${name}": "${entry[0]}", // ${entry[1]}`] : []
    }
  })

const inOneLine = ({ question, readings }: Adapter.Question): string =>
  `${question}: ${readings.map(({ answer, examples }) => `${answerText(answer)} (${examples.join(", ")})`).join(" or ")}`

const answerText = (answer: Answer.Answer): string => {
  if ("settings" in answer) return Object.values(answer.settings).map(String).join(", ")
  if ("layout" in answer) return answer.layout
  if ("map" in answer) return JSON.stringify(answer.map)
  return "…"
}
