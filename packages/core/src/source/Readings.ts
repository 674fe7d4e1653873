/** The stream of readings as core takes it: each is what its interface says, and what an adapter's code throws is an AdapterError that says where. */
import { Cause, Effect, Result, Stream } from "effect"
import {
  type Adapter,
  AdapterBroke,
  AdapterError,
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
import { UnreadWords } from "./UnreadWords.ts"

/** A reading; documents are counted from 1, what is no document has the count of the one before it. */
export interface Numbered {
  readonly seq: number
  readonly reading: Reading
}

/** Where an adapter was when it broke off. */
interface Whereabouts {
  readonly adapter: string
  readonly files: ReadonlyArray<string>
  last: SourceDocument | undefined
}

/** The exception's name and the first line of code it came from that is no library's. */
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
    // it is this very function that may be broken
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

/** Failures that are none of an adapter's, and exceptions, become AdapterErrors; interruption stays what it is. */
const named = <A, E, R>(
  readings: Stream.Stream<A, E, R>,
  whereabouts: Whereabouts
): Stream.Stream<A, AdapterError, R> =>
  Stream.catchCause(readings, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Stream.failCause(cause as Cause.Cause<never>)
    const failure: unknown = Cause.squash(cause)
    return Stream.fail(failure instanceof AdapterError ? failure : broke(whereabouts, failure, "after"))
  })

/** Two versions of core may mean two things by one reading. */
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
 * What the adapter reads, its exceptions under its own name and its files'. Give this to whatever takes readings. `book`: where it is known, an export
 * may spell things as it does.
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

/** Every reading checked (ReadingCheck) and numbered, and at the end what nobody has read of them: the one way from an adapter into core. */
export const entering = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>
): Stream.Stream<Numbered, AdapterError, R> =>
  Stream.suspend(() => {
    const whereabouts: Whereabouts = { adapter: unnamed, files: [], last: undefined }
    let seq = 0
    const unread = new UnreadWords()
    const seller = new OneSeller()
    const numbered = (given: unknown): ReadonlyArray<Numbered> => {
      const isDocument = (given as Reading | undefined)?._tag === "SourceDocument"
      const reading = ReadingCheck.checked(given, isDocument ? seq + 1 : seq)
      if (isDocument) {
        seq++
        whereabouts.last = reading as SourceDocument
        if (whereabouts.last.words !== undefined) {
          unread.take(whereabouts.last)
          seller.check(whereabouts.last)
        }
      }
      return Array.isArray(reading)
        ? reading.map((each: Reading) => ({ seq, reading: each }))
        : [{ seq, reading: reading as Reading }]
    }
    const ending = Stream.suspend(() => Stream.fromIterable(unread.findings().map((reading) => ({ seq, reading }))))
    return named(Stream.concat(mapConcat(numbered)(readings), ending), whereabouts)
  })

/**
 * Does something with a document that may ask it where its values stand. What its `where` throws, or its getters, is the adapter's; what
 * anything else throws is a defect of ours, and is thrown.
 */
export const made = <A>(
  document: SourceDocument,
  work: (document: SourceDocument) => A
): Result.Result<A, AdapterError> => {
  try {
    return Result.succeed(work(document))
  } catch (thrown) {
    // done again under watch, since nobody is watched as long as nothing happens
    const seen: { thrown?: unknown; isTheirs: boolean } = { isTheirs: false }
    try {
      return Result.succeed(work(watched(document, seen)))
    } catch {
      if (!seen.isTheirs) throw thrown
      return Result.fail(broke({ adapter: unnamed, files: [], last: document }, seen.thrown, "at"))
    }
  }
}

/** The same as an Effect, for one document by itself. */
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
