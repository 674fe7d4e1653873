/** The ways in which an export as a whole cannot be read: said so that the next command can settle it. */
import { AdapterError, ExportUnreadable, ReadingAmbiguous } from "@fiscal-connector/core/source/Adapter"

export interface CompetingReading {
  readonly reading: string
  /** Up to three cells. */
  readonly examples: ReadonlyArray<string>
  /** The flag that chooses it. */
  readonly settledBy: string
}

/** Nothing has been read as a document when this is asked. */
export const ambiguous = (file: string, question: string, readings: ReadonlyArray<CompetingReading>) =>
  new AdapterError({ adapter: "csv", reason: new ReadingAmbiguous({ file, question, readings }) })

export const unreadable = (file: string, problem: string, fix: string) =>
  new AdapterError({ adapter: "csv", reason: new ExportUnreadable({ file, problem, fix }) })
