/** Checks the operator's choice of columns and converts it into answers, one for each column. */
import * as ColumnQuestions from "@fiscal-connector/core/unstable/question/ColumnQuestions"
import * as Texts from "../text/Texts.ts"
import type { TakenAnswer } from "./PageImport.ts"
import type { ColumnsSeen, ReadingAnswers, SeenColumn } from "./Workplace.ts"

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

/** Returns the choices as answers, one for each column. */
export const answersOf = ({ columns, rest }: Pick<ColumnsSeen, "columns" | "rest">): ReadonlyMap<string, TakenAnswer> =>
  new Map(
    columns
      .filter(({ name }) => name !== "")
      .map(({ field, name, reference }) => {
        const [, part] = /^tax\.(.*)$/.exec(field ?? "") ?? []
        const read = part === undefined ? { [field ?? ""]: reference } : { taxes: [{ [part]: reference }] }
        const map = field === null ? { ...rest, unread: [name] } : { ...rest, columns: read }
        const nth = typeof reference === "string" ? undefined : reference.nth
        const answer = field ?? ColumnQuestions.notUsed
        const text = `${name}: ${field === null ? Texts.page.notUsed : Texts.field(field)}`
        return [
          ColumnQuestions.idOf(nth === undefined ? name : `${name} (${nth})`),
          { answer, text, choice: { reading: { map }, book: [] } }
        ]
      })
  )

/** Returns remembered answers without the meaning of any column: the choice states every column. */
export const withoutColumns = ({ columns, ...base }: ReadingAnswers): ReadingAnswers => {
  const { columns: _, unread: __, ...rest } = JSON.parse(columns ?? "{}") as Readonly<Record<string, unknown>>
  return { ...base, columns: columns === undefined ? undefined : JSON.stringify(rest) }
}
