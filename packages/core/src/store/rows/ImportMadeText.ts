/** JSON encoding of ImportMade; the timestamp has its own column. */
import type { ImportMade } from "../../submission/KeptImport.ts"
import * as Stored from "../../submission/ledger/Stored.ts"

type UndatedImport = Omit<ImportMade, "at">

const forgotten = "(forgotten)"

export const nameless = `%"name":"${forgotten}"%`

export const write = (made: UndatedImport): string => JSON.stringify(made)

export const read = (text: string, place: Stored.StoreLocation): UndatedImport =>
  Stored.record(text, place) as unknown as UndatedImport

export const withoutNames = (text: string, place: Stored.StoreLocation): string => {
  const { files, ...kept } = read(text, place)
  return write({ ...kept, files: files.map((file) => ({ ...file, name: forgotten })) })
}
