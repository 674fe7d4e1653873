/** Checks the operator's choice of columns and converts it into answers, one for each column. */
import { ColumnQuestions } from "@fiscal-connector/core/host/import"
import * as Texts from "../text/Texts.ts"
import type { TakenAnswer } from "./PageImport.ts"
import type { ColumnsSeen, ReadingAnswers, ShownColumn } from "./Workplace.ts"

/**
 * Returns fields chosen for several columns. Two columns for the same field may contradict each
 * other. Repetitions in the file's own proposal are accepted.
 */
export const takenTwice = (
  proposed: ReadonlyArray<ShownColumn>,
  chosen: ReadonlyArray<ShownColumn>
): ReadonlyArray<{ readonly field: string; readonly columns: ReadonlyArray<string> }> =>
  Array.from(
    Map.groupBy(
      chosen.filter(({ field }) => field !== null && field !== ColumnQuestions.notUsed),
      ({ field }) => field ?? ""
    ),
    ([field, columns]) => ({ field, columns: columns.map(({ name }) => name) })
  ).filter(
    ({ columns, field }) => columns.length > Math.max(1, proposed.filter((column) => column.field === field).length)
  )

const subjectOf = ({ name, reference }: Pick<ShownColumn, "name" | "reference">): string => {
  const nth = typeof reference === "string" ? undefined : reference.nth
  return ColumnQuestions.idOf(nth === undefined ? name : `${name} (${nth})`)
}

export const withNotUsed =
  (answers: ReadonlyMap<string, Pick<TakenAnswer, "answer">>) =>
  (seen: ColumnsSeen): ColumnsSeen => ({
    ...seen,
    columns: seen.columns.map((column) =>
      answers.get(subjectOf(column))?.answer === ColumnQuestions.notUsed
        ? { ...column, field: ColumnQuestions.notUsed }
        : column
    )
  })

export const answersOf = ({
  columns,
  rest,
  words
}: Pick<ColumnsSeen, "columns" | "rest" | "words">): ReadonlyMap<string, TakenAnswer> =>
  new Map(
    columns.flatMap(({ field, name, reference }) => {
      if (name === "" || field === null) return []
      const isUsed = field !== ColumnQuestions.notUsed
      const [, part] = /^tax\.(.*)$/.exec(field) ?? []
      const read = part === undefined ? { [field]: reference } : { taxes: [{ [part]: reference }] }
      const map = isUsed ? { ...rest, columns: read } : { ...rest, unread: [reference] }
      const text = `${name}: ${isUsed ? Texts.field(field, words) : Texts.page.notUsed}`
      return [
        [subjectOf({ name, reference }), { answer: field, text, choice: { reading: { map }, book: [] } }] as const
      ]
    })
  )

/** Returns remembered answers without the meaning of any column: the choice states every column. */
export const withoutColumns = ({ columns, ...base }: ReadingAnswers): ReadingAnswers => {
  const { columns: _, unread: __, ...rest } = JSON.parse(columns ?? "{}") as Readonly<Record<string, unknown>>
  return { ...base, columns: columns === undefined ? undefined : JSON.stringify(rest) }
}
