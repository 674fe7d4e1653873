/** Yields the records of a file one by one: JSON by pointers, JSON lines, rows of a program. */
import { type Adapter, Decompression, Finding, MapConcat } from "@fiscal-connector/core/adapter"
import { Result, Stream } from "effect"
import { type Cell, Foreign, isMembers, RowValues } from "./item/Cell.ts"
import { Item } from "./item/Item.ts"
import { JsonOrigin, type Origin, RowOrigin } from "./item/Origin.ts"
import { type Json, JsonNumber, JsonObject } from "./json/Json.ts"
import { parse } from "./json/JsonParser.ts"
import { type DamagedRecord, JsonScanner, type ScannedRecord } from "./json/JsonScanner.ts"
import { lastOf } from "./json/Pointer.ts"
import { scanned, unreadable } from "./json/ScannedFile.ts"
import { Utf8 } from "./json/Utf8.ts"
import { KitFinding } from "./KitFinding.ts"
import { PlacedRow, type Rows } from "./Rows.ts"
import type { ExportRun } from "./Session.ts"

/** Records in order, for `for await` and as a stream. Memory holds one record at a time. */
export interface Records extends AsyncIterable<Item> {
  readonly stream: Stream.Stream<Item, Adapter.AdapterError>
}

interface UnreadRecord {
  readonly finding: Finding.Finding
  readonly origin?: Origin
}

export class Sources {
  private readonly adapter: string
  private readonly session: ExportRun
  private readonly role: "documents" | "joined"

  /** `joined`: records that documents are joined with; these need no reading. */
  constructor(adapter: string, session: ExportRun, role: "documents" | "joined") {
    this.adapter = adapter
    this.session = session
    this.role = role
  }

  /**
   * Reads the records at `pointers` (RFC 6901, `*` for any name or index) of every JSON value in
   * the file: the elements of the list there, or the single object there.
   *
   * Without pointers the file is a list of records, or records one after the other. Fails if no
   * pointer leads anywhere.
   */
  items(file: Adapter.InputFile, ...pointers: ReadonlyArray<string>): Records {
    const wanted = pointers.length === 0 ? [""] : pointers
    const stream = Stream.suspend(() => {
      const scanner = new JsonScanner(wanted)
      const nothing = () =>
        unreadable(
          this.adapter,
          file,
          `there is nothing at ${wanted.map((pointer) => pointer || "its root").join(" or ")}`,
          `Give the export that the adapter ${this.adapter} reads`
        )
      const found = Stream.suspend(() => (scanner.hasFound ? Stream.empty : Stream.fail(nothing())))
      return Stream.concat(scanned({ adapter: this.adapter, file, scanner }), found).pipe(
        MapConcat.mapConcat((records) => records.flatMap((record) => this.record(file.name, record)))
      )
    })
    return this.records(stream)
  }

  /**
   * Reads JSON lines: a record on each line, or at `pointer` of the line. An invalid line is a
   * separate finding and does not affect other lines.
   */
  lines(file: Adapter.InputFile, pointer = ""): Records {
    const stream = Stream.suspend(() => {
      const utf8 = new Utf8()
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
      let line = 0
      let rest: Array<string> = []
      const cut = (text: string): ReadonlyArray<string> => {
        const [first = "", ...others] = text.split("\n")
        rest.push(first)
        if (others.length === 0) return []
        const whole = [rest.join(""), ...others.slice(0, -1)]
        rest = [others.at(-1)!]
        return whole
      }
      const itemsOf = (texts: ReadonlyArray<string>) =>
        texts.flatMap((text) => this.line(file.name, ++line, text, pointer))
      const pushed = Decompression.decompressed(this.adapter)(file).bytes.pipe(
        Decompression.inPieces,
        Stream.map((chunk) => itemsOf(cut(decoder.decode(utf8.push(chunk), { stream: true }))))
      )
      const finished = Stream.sync(() => {
        const last = cut(decoder.decode(utf8.finish(), { stream: true }) + decoder.decode())
        return itemsOf([...last, rest.join("")])
      })
      return Stream.concat(pushed, finished).pipe(MapConcat.mapConcat((items) => items))
    })
    return this.records(stream)
  }

  /**
   * Reads rows of a program under the name of `file`. A place is the row's number (or its line in
   * the file) and the column.
   */
  rows(file: Pick<Adapter.InputFile, "name">, rows: Rows): Records {
    const stream = Stream.suspend(() => {
      let number = 0
      const source = Stream.isStream(rows)
        ? rows
        : Symbol.asyncIterator in rows
          ? Stream.fromAsyncIterable(rows, (thrown) => thrown).pipe(Stream.catch((thrown) => Stream.die(thrown)))
          : Stream.fromIterable(rows)
      return Stream.map(source, (given) => {
        number++
        const { line, row } = given instanceof PlacedRow ? given : { line: number, row: given }
        const values = rowOf(row)
        return new Item(new RowOrigin(file.name, line, values), [], "", values, this.reading)
      })
    })
    return this.records(stream)
  }

  private get reading() {
    return this.role === "documents" ? this.session.items : this.session.joining
  }

  /**
   * Yields one record at a time, so that readings do not depend on the chunks of the file's bytes.
   */
  private records(stream: Stream.Stream<Item | UnreadRecord, Adapter.AdapterError>): Records {
    const taken = (next: Item | UnreadRecord): Item | undefined => {
      if (next instanceof Item) return this.role === "documents" ? this.session.opened(next) : next
      this.session.stray(next.finding, next.origin)
      return undefined
    }
    return {
      stream: stream.pipe(
        Stream.rechunk(1),
        Stream.filterMap((next) => Result.fromNullishOr(taken(next), () => undefined))
      ),
      [Symbol.asyncIterator]: () => {
        const source = Stream.toAsyncIterable(stream)[Symbol.asyncIterator]()
        return {
          next: async () => {
            for (;;) {
              const next = await source.next()
              if (next.done === true) return { done: true, value: undefined }
              const item = taken(next.value)
              if (item !== undefined) return { done: false, value: item }
            }
          },
          return: async () => {
            await source.return?.()
            return { done: true, value: undefined }
          }
        }
      }
    }
  }

  private record(file: string, record: ScannedRecord | DamagedRecord): ReadonlyArray<Item | UnreadRecord> {
    if ("problem" in record) return this.broken(file, record.line, record.pointer, record.problem)
    const { line, list, pointer, text } = record
    const origin = new JsonOrigin(file, line, pointer, list, text)
    return Result.match(parse(text, line), {
      onSuccess: (value) => this.item(origin, lastOf(list), value),
      onFailure: ({ line: at, text: problem }) => this.broken(file, at, pointer, problem)
    })
  }

  private line(file: string, line: number, text: string, pointer: string): ReadonlyArray<Item | UnreadRecord> {
    if (text.trim() === "") return []
    return Result.match(parse(text, line), {
      onFailure: ({ text: problem }) => this.broken(file, line, "", problem),
      onSuccess: (value) => {
        const scanner = new JsonScanner([pointer])
        const scanned = [...scanner.push(new TextEncoder().encode(text)), ...scanner.finish()]
        if (scanned.length > 0 || scanner.hasFound)
          return scanned.flatMap((record) => this.record(file, { ...record, line: record.line + line - 1 }))
        const message = `a line has nothing at ${pointer}`
        return [unplaced(new JsonOrigin(file, line, "", "", text), isMembers(value as Cell) ? message : undefined)]
      }
    })
  }

  private broken(file: string, line: number, pointer: string, detail: string): ReadonlyArray<UnreadRecord> {
    const at = { file, line, ...(pointer !== "" && { pointer }) }
    return [{ finding: Finding.make(KitFinding.EXPORT_RECORD_UNREADABLE, { detail, at }) }]
  }

  private item(origin: JsonOrigin, list: string, value: Json): ReadonlyArray<Item | UnreadRecord> {
    return value instanceof JsonObject ? [new Item(origin, [], list, value, this.reading)] : [unplaced(origin)]
  }
}

const unplaced = (origin: JsonOrigin, message?: string): UnreadRecord => ({
  finding: Finding.make(KitFinding.EXPORT_RECORD_FORM, {
    at: origin.place([]),
    ...(message !== undefined && { message })
  }),
  origin
})

const rowOf = (row: object): RowValues => {
  const entries = Object.entries(row)
  return new RowValues(
    entries.map(([column]) => column),
    entries.map(([, value]) => cellOf(value))
  )
}

/** A number that is not a safe integer went through a double and is no longer an exact figure. */
const cellOf = (value: unknown): Cell => {
  if (value === null || value === undefined) return null
  if (typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "bigint") return new JsonNumber(String(value))
  if (typeof value === "number") return Number.isSafeInteger(value) ? new JsonNumber(String(value)) : new Foreign(value)
  if (value instanceof Date) return new Foreign(value)
  if (Array.isArray(value)) return value.map(cellOf)
  // drivers give rows without a prototype, and exact decimals as objects with `toString`
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
  return isPlain ? rowOf(value as object) : String(value)
}
