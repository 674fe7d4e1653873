/**
 * Drop folder for exports: sends each complete file, and moves a file once every document in it is
 * accounted for.
 */
import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvAdapter"
import type { FiscalConnector, Result, SyncReport } from "@fiscal-connector/promise"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Size and time of a file at the last check. */
interface Seen {
  readonly size: number
  readonly changed: number
  readonly since: number
}

/**
 * Result of a check of a file. `waits`: the file may still be written. `stays`: some documents are
 * open, and the report lists them.
 */
export type Outcome = "moved" | "stays" | "waits"

export interface DropFolder {
  /** Checks every file once; call repeatedly. */
  look(): Promise<ReadonlyMap<string, Outcome>>
}

/**
 * Returns true for a fiscalized or deliberately omitted document that is unchanged in the source.
 */
const isAccountedFor = ({ cancelled, changed, status }: Result): boolean =>
  (status === "fiscalised" || status === "skipped" || status === "duplicate") && changed === null && cancelled === null

/** Returns the open items of a file as text; empty if everything is accounted for. */
const openIn = ({ conflicts, lanes, problems, results }: SyncReport): ReadonlyArray<string> => {
  const open = [
    ...results
      .filter((result) => !isAccountedFor(result))
      .flatMap(({ because, cancelled, changed, number, problems, status }) => [
        [`${number}: ${status}.`, because, changed, cancelled].filter((text) => text !== null).join(" "),
        ...problems.map(({ code, fix, message }) => `  ${code}: ${message}. ${fix}`)
      ]),
    ...conflicts.map(({ because, id }) => `${id}: ${because}`),
    // rows that did not become documents
    ...problems
      .filter(({ severity }) => severity === "error")
      .map(({ code, fix, message }) => `${code}: ${message}. ${fix}`)
  ]
  return open.length === 0 ? [] : [...open, ...lanes.flatMap(({ text }) => text ?? [])]
}

/**
 * Makes a drop folder with the subfolders `in` and `done`. A writer renames a complete file to
 * `NAME.csv`. For a writer without renaming, a file counts as complete if it has not changed for
 * `settledMs` and ends with a line break. Default a minute.
 */
export const dropFolder = (fiscal: FiscalConnector, folder: string, settledMs = 60_000): DropFolder => {
  const [incoming, done] = [join(folder, "in"), join(folder, "done")]
  for (const path of [incoming, done]) mkdirSync(path, { recursive: true })
  const seen = new Map<string, Seen>()

  /**
   * Returns the bytes of a complete file. Exactly these bytes are sent, regardless of later changes
   * to the file.
   */
  const whole = (name: string): Buffer | undefined => {
    const path = join(incoming, name)
    const { mtimeMs: changed, size } = statSync(path)
    const before = seen.get(name)
    const isSame = before?.size === size && before.changed === changed
    const now: Seen = { size, changed, since: isSame ? before.since : Date.now() }
    seen.set(name, now)
    if (!isSame || Date.now() - now.since < settledMs) return undefined
    const bytes = readFileSync(path)
    return bytes.length === size && bytes.at(-1) === 0x0a ? bytes : undefined
  }

  /** Returns an unused name, so that no moved file is ever replaced. */
  const free = (name: string): string => {
    for (let n = 1; ; n++) {
      const path = join(done, n === 1 ? name : name.replace(/\.csv$/, `.${n}.csv`))
      if (!existsSync(path)) return path
    }
  }

  /**
   * Moves a file if it still equals the sent bytes. If a writer still had the file open, the change
   * is detected after the move, and the file is moved back.
   */
  const move = (name: string, sent: Buffer): Outcome => {
    const [from, to] = [join(incoming, name), free(name)]
    if (!readFileSync(from).equals(sent)) return "waits"
    renameSync(from, to)
    if (readFileSync(to).equals(sent)) return "moved"
    if (!existsSync(from)) renameSync(to, from)
    return "waits"
  }

  const work = async (name: string): Promise<Outcome> => {
    const bytes = whole(name)
    if (bytes === undefined) return "waits"
    const report = join(incoming, `${name}.todo.txt`)
    const open = await fiscal
      .sync({ adapter: csv, files: [{ name, bytes }] })
      .then(openIn, (error: Error) => [error.message])
    if (open.length > 0) {
      writeFileSync(report, `${open.join("\n")}\n`)
      return "stays"
    }
    const outcome = move(name, bytes)
    if (outcome === "moved") {
      seen.delete(name)
      rmSync(report, { force: true })
    }
    return outcome
  }

  return {
    look: async () => {
      const outcomes = new Map<string, Outcome>()
      const names = readdirSync(incoming).filter((name) => name.endsWith(".csv") && !name.startsWith("."))
      // in the order of names, because receipts are sent in the order of dates
      for (const name of names.toSorted()) outcomes.set(name, await work(name))
      return outcomes
    }
  }
}
