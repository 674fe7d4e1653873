/** Where the statements of one document stand in the export, for findings that name them. */
import { format, type Provenance } from "../finding/Provenance.ts"
import type { DocumentRow } from "./StagingArea.ts"

export type Place = Pick<DocumentRow, "seq" | "key" | "number" | "source">

/** How many other places of a document are named. */
export const named = 20

/** The places of other statements, by file and line. */
export const elsewhere = (others: ReadonlyArray<Pick<Place, "source">>): string => {
  const places = others.slice(0, named).map(({ source }) => format(lineOf(JSON.parse(source))))
  return `also at ${places.join(", ")}${others.length > named ? " and more" : ""}`
}

const lineOf = ({ file, line }: Provenance): Provenance => ({ file, ...(line !== undefined && { line }) })
