/**
 * Each reading is checked, and an exception of an adapter's code becomes an AdapterError with the
 * place.
 */
import { Cause, Effect, Option, Result, Stream } from "effect"
import {
  type Adapter,
  AdapterBroke,
  AdapterError,
  adapterErrorOf,
  type BookSpellings,
  ExportUnreadable,
  type Input,
  type Reading
} from "./Adapter.ts"
import { coreVersion } from "./CoreVersion.ts"
import { mapConcat } from "./MapConcat.ts"
import * as ReadingCheck from "./ReadingCheck.ts"
import type { SourceDocument } from "./SourceDocument.ts"
import { OneSeller } from "./OneSeller.ts"
import { RoundedFigures } from "./RoundedFigures.ts"

/**
 * A reading with its number. Documents are counted from 1; other readings have the number of the
 * document before them.
 */
export interface Numbered {
  readonly seq: number
  readonly reading: Reading
}

/** If the adapter's code throws an exception, the error names the file and the last document. */
interface Whereabouts {
  readonly adapter: string
  readonly files: ReadonlyArray<string>
  last: SourceDocument | undefined
}

const problemOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return "it threw a value that is not an Error"
  const name = /^\w{1,60}$/.test(thrown.name) ? thrown.name : "Error"
  const frame = (thrown.stack ?? "")
    .split("\n")
    .find((line) => /^\s+at .*:\d+:\d+\)?$/.test(line) && !line.includes("node_modules"))
  return frame === undefined ? name : `${name} ${frame.trim()}`
}

const fileOf = ({ files, last }: Whereabouts): string => {
  try {
    const file: unknown = last?.where([]).file
    if (typeof file === "string" && file !== "") return file
  } catch {
    // `where` itself may be the broken function
  }
  return files.length === 0 ? "the export" : files.join(", ")
}

const nameOf = ({ id, number }: SourceDocument): string => number || id

const broke = (whereabouts: Whereabouts, thrown: unknown, at: "at" | "after"): AdapterError => {
  const { adapter, last } = whereabouts
  const document = last === undefined ? "before the first document" : `${at} ${nameOf(last)}`
  return new AdapterError({
    adapter,
    reason: new AdapterBroke({ file: fileOf(whereabouts), document, problem: problemOf(thrown) })
  })
}

/**
 * Exceptions, and failures other than AdapterErrors, become AdapterErrors; interruption is
 * unchanged.
 */
const named = <A, E, R>(
  readings: Stream.Stream<A, E, R>,
  whereabouts: Whereabouts
): Stream.Stream<A, AdapterError, R> =>
  Stream.catchCause(readings, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Stream.failCause(cause as Cause.Cause<never>)
    const failure: unknown = Cause.squash(cause)
    return Stream.fail(Option.getOrElse(adapterErrorOf(failure), () => broke(whereabouts, failure, "after")))
  })

/** Two versions of core may read the same value differently. */
const otherCore = (adapter: string, made: string, file: string): AdapterError =>
  new AdapterError({
    adapter,
    reason: new ExportUnreadable({
      file,
      problem: `the adapter ${adapter} was made with version ${made} of @fiscal-connector/core, and version ${coreVersion} reads it`,
      fix: `Install one version for both: npm install @fiscal-connector/core@${coreVersion} @fiscal-connector/adapter-kit@${coreVersion}, and build the adapter again. npm ls @fiscal-connector/core shows who brings another`
    })
  })

/**
 * Returns the adapter's readings, exceptions marked with the adapter's and the files' names. Pass
 * this stream to every consumer of readings. `book`: if known, the export may spell values as the
 * book does.
 */
export const from = <Options>(
  adapter: Adapter<Options>,
  input: Input,
  options: Options,
  book?: BookSpellings
): Stream.Stream<Reading, AdapterError> =>
  Stream.suspend(() => {
    const whereabouts: Whereabouts = {
      adapter: adapter.name,
      files: input.files.map(({ name }) => name),
      last: undefined
    }
    if (adapter.core !== undefined && adapter.core !== coreVersion)
      return Stream.fail(otherCore(adapter.name, adapter.core, fileOf(whereabouts)))
    const known = () => (book === undefined ? options : (adapter.under?.(options, book) ?? options))
    const readings = Stream.suspend(() => adapter.read(input, known()))
    const followed = Stream.map(readings, (reading) => {
      if (reading?._tag === "SourceDocument") whereabouts.last = reading
      return reading
    })
    return named(followed, whereabouts)
  })

const unnamed = "without a name"

/**
 * Checks (ReadingCheck) and numbers every reading: the only way from an adapter into core.
 */
export const entering = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>
): Stream.Stream<Numbered, AdapterError, R> =>
  Stream.suspend(() => {
    const whereabouts: Whereabouts = { adapter: unnamed, files: [], last: undefined }
    let seq = 0
    const rounded = new RoundedFigures()
    const seller = new OneSeller()
    const numbered = (given: unknown): ReadonlyArray<Numbered> => {
      const isDocument = (given as Reading | undefined)?._tag === "SourceDocument"
      const reading = ReadingCheck.checked(given, isDocument ? seq + 1 : seq)
      if (isDocument) {
        seq++
        whereabouts.last = reading as SourceDocument
        rounded.take(whereabouts.last)
        if (whereabouts.last.words !== undefined) seller.check(whereabouts.last)
      }
      return Array.isArray(reading)
        ? reading.map((each: Reading) => ({ seq, reading: each }))
        : [{ seq, reading: reading as Reading }]
    }
    const ending = Stream.suspend(() => Stream.fromIterable(rounded.findings().map((reading) => ({ seq, reading }))))
    return named(Stream.concat(mapConcat(numbered)(readings), ending), whereabouts)
  })

/**
 * Runs `work` on a document; `work` may call the document's `where`. Exceptions of `where` and of
 * the getters belong to the adapter; other exceptions are defects of core and are rethrown.
 */
export const made = <A>(
  document: SourceDocument,
  work: (document: SourceDocument) => A
): Result.Result<A, AdapterError> => {
  try {
    return Result.succeed(work(document))
  } catch (thrown) {
    // repeated with a proxy only after an exception: the normal case pays for no proxy
    const seen: { thrown?: unknown; isTheirs: boolean } = { isTheirs: false }
    try {
      return Result.succeed(work(watched(document, seen)))
    } catch {
      if (!seen.isTheirs) throw thrown
      return Result.fail(broke({ adapter: unnamed, files: [], last: document }, seen.thrown, "at"))
    }
  }
}

/** Same as `made`, as an Effect, for a single document. */
export const using = <A>(
  document: SourceDocument,
  work: (document: SourceDocument) => A
): Effect.Effect<A, AdapterError> => Effect.suspend(() => Effect.fromResult(made(document, work)))

const watched = (document: SourceDocument, seen: { thrown?: unknown; isTheirs: boolean }): SourceDocument => {
  const theirs = <A>(call: () => A): A => {
    try {
      return call()
    } catch (thrown) {
      seen.thrown = thrown
      seen.isTheirs = true
      throw thrown
    }
  }
  return new Proxy(document, {
    get: (target, field) =>
      field === "where"
        ? (path: Parameters<SourceDocument["where"]>[0]) =>
            theirs(() => {
              const at = target.where(path)
              if (!ReadingCheck.isPlace(at)) throw new TypeError("where gave no place")
              return at
            })
        : theirs(() => Reflect.get(target, field, target) as unknown)
  })
}
