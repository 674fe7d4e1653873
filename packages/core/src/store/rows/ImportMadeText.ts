/** What an import was made of, as its row has it; when, stands in a column of its own. */
import type { ImportMade } from "../../submission/KeptImport.ts"
import * as Stored from "../../ledger/Stored.ts"

type Made = Omit<ImportMade, "at">

const forgotten = "(forgotten)"

/** By which a text is told whose files' names are gone already. */
export const nameless = `%"name":"${forgotten}"%`

export const write = (made: Made): string => JSON.stringify(made)

export const read = (text: string, place: Stored.Place): Made => Stored.record(text, place) as unknown as Made

/** The same without the names of its files. */
export const withoutNames = (text: string, place: Stored.Place): string => {
  const { files, ...kept } = read(text, place)
  return write({ ...kept, files: files.map((file) => ({ ...file, name: forgotten })) })
}
