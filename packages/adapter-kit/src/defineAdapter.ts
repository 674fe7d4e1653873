/**
 * Builds an adapter from a definition: the records of an export, and the statements of each record.
 */
import {
  type Adapter,
  AdapterError,
  adapterErrorOf,
  type BookDraft,
  ExportUnreadable,
  type FieldSetting,
  type Input,
  type InputFile,
  type Reading,
  type RefusedDocument
} from "@fiscal-connector/core/source/Adapter"
import * as BookDrafting from "@fiscal-connector/core/source/BookDrafting"
import { mapConcat } from "@fiscal-connector/core/source/MapConcat"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { Skipped, SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import { Effect, Option, Schema, type SchemaAST, Stream } from "effect"
import type { Item } from "./item/Item.ts"
import type { DocumentFields } from "./KitDocument.ts"
import { coreVersion } from "@fiscal-connector/core/source/CoreVersion"
import { kitVersion } from "./KitVersion.ts"
import { Lookup } from "./Lookup.ts"
import { writeRefused } from "./RefusedFile.ts"
import { type Items, Session, type SkippedFields } from "./Session.ts"
import type { Rows } from "./Rows.ts"
import { type Records, Sources } from "./Sources.ts"

/** Readers of records. */
export interface RecordReaders {
  readonly json: Pick<Sources, "items" | "lines">
  /**
   * Reads rows that the program provides, under the name of a file: `rows(file, cursor)`. Figures
   * must arrive as text.
   */
  rows(file: Pick<InputFile, "name">, rows: Rows): Records
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
  document(items: Items, fields: DocumentFields): SourceDocument
  /**
   * States that the record is not an issued sales document: a draft, a bill, a void. If a cell read
   * for the decision is unreadable, the findings of the cell are reported instead.
   */
  skip(items: Items, reason: string, fields?: SkippedFields): Skipped
  /**
   * States that the source has voided or deleted a sales document. Nothing more is sent. If the
   * document was fiscalized before, the operator is notified.
   */
  cancel(items: Items, cancelled: NonNullable<SkippedFields["cancelled"]>): Skipped
  /**
   * Marks a record that documents are joined with and that is not a document. No reading is needed
   * for the record.
   */
  companion(item: Item): void
  /**
   * Refuses a record of unknown meaning. The record is written to the file of refused documents
   * with the message.
   */
  refuse(items: Items, message: string, fix?: string): Finding
}

/** Tools that `join` receives with the files. */
export interface JoinKit<Options> extends RecordReaders {
  readonly options: Options
  /** Collects records by a key, and uses little memory. */
  lookup(records: AsyncIterable<Item>, keyOf: (item: Item) => string | undefined): Promise<Lookup>
  /** Returns an empty lookup to `add` records to. */
  newLookup(): Lookup
  /** Returns an error to throw if the export is unreadable because a required part is missing. */
  missing(what: string, fix: string): AdapterError
}

export interface AdapterDefinition<Fields extends Schema.Struct.Fields, Joined> {
  /**
   * Name of letters, digits and dashes. Prefixes the adapter's options on a command line:
   * `--acme-since`.
   */
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
    files: ReadonlyArray<InputFile>,
    kit: JoinKit<Schema.Struct.Type<Fields>>
  ): Promise<Joined> | Effect.Effect<Joined, AdapterError>
  /**
   * Returns the readings of one file: for every record the document, or the reason why the record
   * is not a document.
   */
  read(
    file: InputFile,
    kit: Kit<Schema.Struct.Type<Fields>, Joined>
  ): AsyncIterable<Reading> | Iterable<Reading> | Stream.Stream<Reading, AdapterError>
}

/** An adapter of the port, with the values that the command needs to load the adapter. */
export interface KitAdapter<Options> extends Adapter<Options> {
  readonly kit: typeof kitVersion
  readonly core: string
  readonly extensions: ReadonlyArray<string>
  /** Fields that change nothing in a document, by their reason. */
  readonly harmless: { readonly [reason: string]: string }
  readonly options: Schema.Codec<Options, unknown>
  writeRefused(refused: Stream.Stream<RefusedDocument>): Stream.Stream<Uint8Array>
  draftBook(input: Input, options: Options): Effect.Effect<BookDraft, AdapterError>
}

/** Options that every adapter of the kit has. */
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

  const taken = (file: InputFile): Effect.Effect<void, AdapterError> => {
    const plain = file.name.toLowerCase().replace(/\.gz$/, "")
    if (endings.length === 0 || endings.some((ending) => plain.endsWith(ending))) return Effect.void
    const reason = new ExportUnreadable({
      file: file.name,
      problem: `the adapter ${name} reads ${endings.join(", ")}`,
      fix: "Give it the system's own export"
    })
    return Effect.fail(new AdapterError({ adapter: name, reason }))
  }

  const joinedOf = (input: Input, options: Options, session: Session): Effect.Effect<Joined, AdapterError> => {
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
        new AdapterError({
          adapter: name,
          reason: new ExportUnreadable({ file: input.files.map((file) => file.name).join(", "), problem, fix })
        })
    }
    return Effect.suspend(() => {
      const joining = join.call(definition, input.files, kit)
      return Effect.isEffect(joining) ? joining : Effect.promise(() => joining)
    }).pipe(Effect.catchDefect(thrownOf))
  }

  const read = (input: Input, options: Options): Stream.Stream<Reading, AdapterError> =>
    Stream.suspend(() => {
      const session = new Session(none, options.unmapped, harmless)
      const sources = new Sources(name, session, "documents")
      const inFile = (joined: Joined) => (file: InputFile) => {
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
          mapConcat((each) => each)
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
    core: coreVersion,
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

const stating: { readonly [setting: string]: FieldSetting["states"] } = {
  tin: "buyer-tin",
  vatNumber: "buyer-vat-number",
  productCode: "product-code",
  paymentMethod: "payment-method"
}

/** Returns the literals of the schema, or an empty list if the schema accepts anything else. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const parts = ast._tag === "Union" ? ast.types : [ast]
  const literals = parts.flatMap((part) => (part._tag === "Literal" ? [String(part.literal)] : []))
  return literals.length === parts.length ? literals : []
}

/** Returns the settings of options whose names say that the option names a field of the export. */
const fieldSettings = (options: Schema.Struct.Fields): ReadonlyArray<FieldSetting> =>
  Object.entries(options).flatMap(([setting, schema]) => {
    const states = Object.hasOwn(stating, setting) ? stating[setting] : undefined
    const fields = literalsOf((schema as Schema.Top).ast)
    // if no field states the value, the operator may let the mapping book fill it in
    const isFilled = states === "buyer-tin" || states === "product-code"
    const none = isFilled ? { none: { settings: { unmapped: "unread" } } } : {}
    return states === undefined || fields.length === 0 ? [] : [{ states, setting, fields, ...none }]
  })

/**
 * Fails with an AdapterError that the kit threw into the loop. Any other exception is a mistake of
 * the adapter and stays a defect.
 */
const thrownOf = (thrown: unknown): Effect.Effect<never, AdapterError> =>
  Option.match(adapterErrorOf(thrown), { onNone: () => Effect.die(thrown), onSome: Effect.fail })

const streamOf = (
  readings: AsyncIterable<Reading> | Iterable<Reading> | Stream.Stream<Reading, AdapterError>
): Stream.Stream<Reading, AdapterError> => {
  if (Stream.isStream(readings)) return readings
  if (Symbol.iterator in readings) return Stream.fromIterable(readings)
  return Stream.catch(
    Stream.fromAsyncIterable(readings, (thrown) => thrown),
    (thrown) => Stream.fromEffect(thrownOf(thrown))
  )
}
