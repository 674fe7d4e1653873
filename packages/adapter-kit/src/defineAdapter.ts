/**
 * Builds an adapter from a definition: the records of an export, and the statements of each record.
 */
import {
  Adapter,
  BookDrafting,
  CoreVersion,
  type Finding,
  MapConcat,
  type SourceDocument
} from "@fiscal-connector/core/adapter"
import { Effect, Option, Schema, type SchemaAST, Stream } from "effect"
import type { Item } from "./item/Item.ts"
import type { DocumentFields } from "./KitDocument.ts"
import { kitVersion } from "./KitVersion.ts"
import { Lookup } from "./Lookup.ts"
import { writeRefused } from "./RefusedFile.ts"
import { type Items, ExportRun, type SkippedFields } from "./Session.ts"
import type { Rows } from "./Rows.ts"
import { type Records, Sources } from "./Sources.ts"

/** Readers of records. */
export interface RecordReaders {
  readonly json: Pick<Sources, "items" | "lines">
  /**
   * Reads rows that the program provides, under the name of a file: `rows(file, cursor)`. Figures
   * must arrive as text.
   */
  rows(file: Pick<Adapter.InputFile, "name">, rows: Rows): Records
}

/** Tools that `read` receives with the file. */
export interface Kit<Options, Joined> extends RecordReaders {
  readonly options: Options
  /** Result of `join`. */
  readonly joined: Joined
  /**
   * States an issued invoice or credit note from one record, or from the rows that make the
   * document.
   */
  document(items: Items, fields: DocumentFields): SourceDocument.SourceDocument
  /**
   * States that the record is not an issued sales document: a draft, a bill, a void. If a cell read
   * for the decision is unreadable, the findings of the cell are reported instead.
   */
  skip(items: Items, reason: string, fields?: SkippedFields): SourceDocument.Skipped
  /**
   * States that the source has voided or deleted a sales document. Nothing more is sent. If the
   * document was fiscalized before, the operator is notified.
   */
  cancel(items: Items, cancelled: NonNullable<SkippedFields["cancelled"]>): SourceDocument.Skipped
  /**
   * Marks a record that documents are joined with and that is not a document. No reading is needed
   * for the record.
   */
  companion(item: Item): void
  /**
   * Refuses a record of unknown meaning. The record is written to the file of refused documents
   * with the message.
   */
  refuse(items: Items, message: string, fix?: string): Finding.Finding
}

/** Tools that `join` receives with the files. */
export interface JoinKit<Options> extends RecordReaders {
  readonly options: Options
  /** Collects records by a key, and uses little memory. */
  lookup(records: AsyncIterable<Item>, keyOf: (item: Item) => string | undefined): Promise<Lookup>
  newLookup(): Lookup
  /** Returns an error to throw if the export is unreadable because a required part is missing. */
  missing(what: string, fix: string): Adapter.AdapterError
}

export interface AdapterDefinition<Fields extends Schema.Struct.Fields, Joined> {
  readonly name: string
  /**
   * File name endings, such as `.json`; a packed file additionally ends in `.gz`. A file with
   * another ending is refused.
   * @default any ending
   */
  readonly extensions?: ReadonlyArray<`.${string}`>
  /**
   * Options that an operator can set, as the fields of a struct: texts, numbers, booleans and
   * literals, with `Schema.optionalKey` for optional fields. Optional literals named `tin`,
   * `vatNumber`, `productCode` or `paymentMethod` name a field of the export. The connector tries
   * each literal on the export and asks the operator.
   */
  readonly options?: Fields
  /**
   * Values that count as an empty cell, in addition to null and blank text: `[false]` for a system
   * that writes `false`.
   */
  readonly none?: ReadonlyArray<string | boolean>
  /**
   * Fields that change nothing in a document, by the documentation of the system: paths inside a
   * record, separated by `|`, by their reason. The name of the list before the path limits it to
   * one list. Other fields that `read` does not read are named to the operator.
   */
  readonly harmless?: { readonly [reason: string]: string }
  /**
   * Gathers the records that documents are joined with, from any of the files, before the readings
   * begin.
   */
  join?(
    files: ReadonlyArray<Adapter.InputFile>,
    kit: JoinKit<Schema.Struct.Type<Fields>>
  ): Promise<Joined> | Effect.Effect<Joined, Adapter.AdapterError>
  /**
   * Returns the readings of one file: for every record the document, or the reason why the record
   * is not a document.
   */
  read(
    file: Adapter.InputFile,
    kit: Kit<Schema.Struct.Type<Fields>, Joined>
  ): AsyncIterable<Adapter.Reading> | Iterable<Adapter.Reading> | Stream.Stream<Adapter.Reading, Adapter.AdapterError>
}

/** An adapter of the port, with the values that the command needs to load the adapter. */
export interface KitAdapter<Options> extends Adapter.Adapter<Options> {
  readonly kit: typeof kitVersion
  readonly core: string
  readonly extensions: ReadonlyArray<string>
  /** Fields that change nothing in a document, by their reason. */
  readonly harmless: { readonly [reason: string]: string }
  readonly options: Schema.Codec<Options, unknown>
  writeRefused(refused: Stream.Stream<Adapter.RefusedDocument>): Stream.Stream<Uint8Array>
  draftBook(input: Adapter.Input, options: Options): Effect.Effect<Adapter.BookDraft, Adapter.AdapterError>
}

const kitOptions = {
  unmapped: Schema.optionalKey(
    Schema.Literals(["refuse", "unread"]).annotate({
      description: "tax numbers and item codes without a mapping, if the book has a default for them: refuse, or ignore"
    })
  )
}

/** Settings of an operator for the exports of every adapter of the kit. */
export type KitOptions = Schema.Struct.Type<typeof kitOptions>

const namePattern = /^[a-z][a-z0-9-]{0,40}$/

/**
 * Makes an adapter of a definition.
 *
 * `read` must yield something for every record taken from `json` or `rows`. A forgotten record
 * becomes a finding (EXPORT_RECORD_UNACCOUNTED). The kit provides order, places, findings of cells,
 * refused files and drafts of books.
 *
 * Throws a TypeError for a name that cannot prefix an option.
 */
export const defineAdapter = <Fields extends Schema.Struct.Fields = {}, Joined = undefined>(
  definition: AdapterDefinition<Fields, Joined>
): KitAdapter<Schema.Struct.Type<Fields> & KitOptions> => {
  type Options = Schema.Struct.Type<Fields> & KitOptions
  const { extensions = [], harmless = {}, name, none = [] } = definition
  if (!namePattern.test(name))
    throw new TypeError(`${JSON.stringify(name)} is not a name of an adapter: small letters, digits and dashes are`)
  const endings = extensions.map((extension) => extension.toLowerCase())

  const taken = (file: Adapter.InputFile): Effect.Effect<void, Adapter.AdapterError> => {
    const plain = file.name.toLowerCase().replace(/\.gz$/, "")
    if (endings.length === 0 || endings.some((ending) => plain.endsWith(ending))) return Effect.void
    const reason = new Adapter.ExportUnreadable({
      file: file.name,
      problem: `the adapter ${name} reads ${endings.join(", ")}`,
      fix: "Give it the system's own export"
    })
    return Effect.fail(new Adapter.AdapterError({ adapter: name, reason }))
  }

  const joinedOf = (input: Adapter.Input, options: Options, session: ExportRun) => {
    const { join } = definition
    if (join === undefined) return Effect.succeed(undefined as Joined)
    const sources = new Sources(name, session, "joined")
    const newLookup = () => new Lookup(session.items)
    const kit: JoinKit<Options> = {
      options,
      json: sources,
      rows: (file, rows) => sources.rows(file, rows),
      newLookup,
      lookup: async (records, keyOf) => {
        const lookup = newLookup()
        for await (const item of records) {
          const key = keyOf(item)
          if (key !== undefined) lookup.add(key, item)
        }
        return lookup
      },
      missing: (problem, fix) =>
        new Adapter.AdapterError({
          adapter: name,
          reason: new Adapter.ExportUnreadable({ file: input.files.map((file) => file.name).join(", "), problem, fix })
        })
    }
    return Effect.suspend(() => {
      const joining = join.call(definition, input.files, kit)
      return Effect.isEffect(joining) ? joining : Effect.promise(() => joining)
    }).pipe(Effect.catchDefect(thrownOf))
  }

  const read = (input: Adapter.Input, options: Options): Stream.Stream<Adapter.Reading, Adapter.AdapterError> =>
    Stream.suspend(() => {
      const session = new ExportRun(none, options.unmapped, harmless)
      const sources = new Sources(name, session, "documents")
      const inFile = (joined: Joined) => (file: Adapter.InputFile) => {
        const kit: Kit<Options, Joined> = {
          options,
          joined,
          json: sources,
          rows: (of, rows) => sources.rows(of, rows),
          document: session.document,
          skip: session.skip,
          cancel: session.cancel,
          companion: session.companion,
          refuse: session.refuse
        }
        const readings = Stream.suspend(() => streamOf(definition.read(file, kit)))
        const emitted = readings.pipe(
          Stream.map((reading) => session.emitted(reading)),
          Stream.concat(Stream.sync(() => session.ended(file.name))),
          MapConcat.mapConcat((each) => each)
        )
        return Stream.unwrap(Effect.as(taken(file), emitted))
      }
      return Stream.unwrap(
        Effect.map(joinedOf(input, options, session), (joined) => {
          // cells read while joining belong to no document
          session.ended()
          return Stream.flatMap(Stream.fromIterable(input.files), inFile(joined))
        })
      )
    })

  return {
    kit: kitVersion,
    core: CoreVersion.coreVersion,
    name,
    fields: fieldSettings(definition.options ?? {}),
    extensions: endings,
    harmless,
    options: Schema.Struct({ ...definition.options, ...kitOptions }) as unknown as Schema.Codec<Options, unknown>,
    read,
    writeRefused,
    draftBook: (input, options) => BookDrafting.draft(read(input, options))
  }
}

const stating: { readonly [setting: string]: Adapter.FieldSetting["states"] } = {
  tin: "buyer-tin",
  vatNumber: "buyer-vat-number",
  productCode: "product-code",
  paymentMethod: "payment-method"
}

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const parts = ast._tag === "Union" ? ast.types : [ast]
  const literals = parts.flatMap((part) => (part._tag === "Literal" ? [String(part.literal)] : []))
  return literals.length === parts.length ? literals : []
}

const fieldSettings = (options: Schema.Struct.Fields): ReadonlyArray<Adapter.FieldSetting> =>
  Object.entries(options).flatMap(([setting, schema]) => {
    const states = Object.hasOwn(stating, setting) ? stating[setting] : undefined
    const fields = literalsOf((schema as Schema.Top).ast)
    // if no field states the value, the operator may let the mapping book fill it in
    const isFilled = states === "buyer-tin" || states === "product-code"
    const none = isFilled ? { none: { settings: { unmapped: "unread" } } } : {}
    return states === undefined || fields.length === 0 ? [] : [{ states, setting, fields, ...none }]
  })

/** An exception other than an AdapterError is a mistake of the adapter and stays a defect. */
const thrownOf = (thrown: unknown): Effect.Effect<never, Adapter.AdapterError> =>
  Option.match(Adapter.adapterErrorOf(thrown), { onNone: () => Effect.die(thrown), onSome: Effect.fail })

const streamOf = (
  readings:
    | AsyncIterable<Adapter.Reading>
    | Iterable<Adapter.Reading>
    | Stream.Stream<Adapter.Reading, Adapter.AdapterError>
): Stream.Stream<Adapter.Reading, Adapter.AdapterError> => {
  if (Stream.isStream(readings)) return readings
  if (Symbol.iterator in readings) return Stream.fromIterable(readings)
  return Stream.catch(
    Stream.fromAsyncIterable(readings, (thrown) => thrown),
    (thrown) => Stream.fromEffect(thrownOf(thrown))
  )
}
