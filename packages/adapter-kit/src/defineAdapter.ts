/** An adapter from what its author knows: which records an export has, and what each of them states. */
import {
  type Adapter,
  AdapterError,
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
import { Effect, Schema, type SchemaAST, Stream } from "effect"
import type { Item } from "./item/Item.ts"
import type { DocumentFields } from "./KitDocument.ts"
import { coreVersion } from "@fiscal-connector/core/source/CoreVersion"
import { kitVersion } from "./KitVersion.ts"
import { Lookup } from "./Lookup.ts"
import { writeRefused } from "./RefusedFile.ts"
import { type Items, Session, type SkippedFields } from "./Session.ts"
import type { Rows } from "./Rows.ts"
import { type Records, Sources } from "./Sources.ts"

/** How records are read. */
export interface RecordReaders {
  readonly json: Pick<Sources, "items" | "lines">
  /** Rows of a program's own, in the name of a file: `rows(file, cursor)`. Figures have to come as text. */
  rows(file: Pick<InputFile, "name">, rows: Rows): Records
}

/** What `read` is given beside the file. */
export interface Kit<Options, Joined> extends RecordReaders {
  readonly options: Options
  /** What `join` has gathered. */
  readonly joined: Joined
  /** An issued invoice or credit note: what the record, or the rows that make it, state. */
  document(items: Items, fields: DocumentFields): SourceDocument
  /** No issued sales document: a draft, a bill, a void. Where a cell that decides it could not be read, that is said instead. */
  skip(items: Items, reason: string, fields?: SkippedFields): Skipped
  /** A sales document that the source has voided or deleted: nothing of it is sent any more. What was fiscalised before is pointed out. */
  cancel(items: Items, cancelled: NonNullable<SkippedFields["cancelled"]>): Skipped
  /** A record that documents are joined with and is none itself: nothing has to be said of it. */
  companion(item: Item): void
  /** A record of which nobody can say what it is: it is written back with the message. */
  refuse(items: Items, message: string, fix?: string): Finding
}

/** What `join` is given beside the files. */
export interface JoinKit<Options> extends RecordReaders {
  readonly options: Options
  /** Records by a key of theirs, kept in little memory. */
  lookup(records: AsyncIterable<Item>, keyOf: (item: Item) => string | undefined): Promise<Lookup>
  /** An empty one, to `add` to. */
  newLookup(): Lookup
  /** The export cannot be read without something that is not there: throw it. */
  missing(what: string, fix: string): AdapterError
}

export interface AdapterDefinition<Fields extends Schema.Struct.Fields, Joined> {
  /** Letters, digits and dashes; it prefixes the adapter's options on a command line: `--acme-since`. */
  readonly name: string
  /** Endings of its files, as `.json`; a packed one ends in `.gz` besides. A file with another ending is refused by name. Left out: any. */
  readonly extensions?: ReadonlyArray<`.${string}`>
  /**
   * What a person can settle, as the fields of a struct: texts, numbers, booleans and literals, optional ones by `Schema.optionalKey`. Optional literals
   * called `tin`, `vatNumber`, `productCode` or `paymentMethod` name a field of the export: each is tried on the export, and the operator is asked.
   */
  readonly options?: Fields
  /** What counts as an empty cell beside null and blank text: `[false]` where a system writes that. */
  readonly none?: ReadonlyArray<string | boolean>
  /** Gathers what documents are joined with, in whichever file it stands, before any file is read. */
  join?(
    files: ReadonlyArray<InputFile>,
    kit: JoinKit<Schema.Struct.Type<Fields>>
  ): Promise<Joined> | Effect.Effect<Joined, AdapterError>
  /** The readings of one file: of every record it is given, the document, or why it is none. */
  read(
    file: InputFile,
    kit: Kit<Schema.Struct.Type<Fields>, Joined>
  ): AsyncIterable<Reading> | Iterable<Reading> | Stream.Stream<Reading, AdapterError>
}

/** An adapter of the port, and what the command needs to load it. */
export interface KitAdapter<Options> extends Adapter<Options> {
  readonly kit: typeof kitVersion
  readonly core: string
  readonly extensions: ReadonlyArray<string>
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

/** What an operator can settle about the exports of every adapter of the kit. */
export type KitOptions = Schema.Struct.Type<typeof kitOptions>

const namePattern = /^[a-z][a-z0-9-]{0,40}$/

/**
 * Makes an adapter of a definition. Of every record that `read` takes from `json` or `rows` it has to yield something; what it forgets is a
 * finding (EXPORT_RECORD_UNACCOUNTED). Order, places, findings of cells, refused files and drafts of books come from the kit.
 *
 * Throws a TypeError for a name that could not prefix an option.
 */
export const defineAdapter = <Fields extends Schema.Struct.Fields = {}, Joined = undefined>(
  definition: AdapterDefinition<Fields, Joined>
): KitAdapter<Schema.Struct.Type<Fields> & KitOptions> => {
  type Options = Schema.Struct.Type<Fields> & KitOptions
  const { extensions = [], name, none = [] } = definition
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
      const session = new Session(none, options.unmapped)
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
        const said = readings.pipe(
          Stream.map((reading) => session.said(reading)),
          Stream.concat(Stream.sync(() => session.ended())),
          mapConcat((said) => said)
        )
        return Stream.unwrap(Effect.as(taken(file), said))
      }
      return Stream.unwrap(
        Effect.map(joinedOf(input, options, session), (joined) => {
          // what was looked at to join is nobody's document
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

/** Literals of the schema; empty where it takes anything else. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const parts = ast._tag === "Union" ? ast.types : [ast]
  const literals = parts.flatMap((part) => (part._tag === "Literal" ? [String(part.literal)] : []))
  return literals.length === parts.length ? literals : []
}

/** Options whose names say that they name a field of the export. */
const fieldSettings = (options: Schema.Struct.Fields): ReadonlyArray<FieldSetting> =>
  Object.entries(options).flatMap(([setting, schema]) => {
    const states = Object.hasOwn(stating, setting) ? stating[setting] : undefined
    const fields = literalsOf((schema as Schema.Top).ast)
    // what nothing states may be filled in by the mapping book, where the operator says so
    const isFilled = states === "buyer-tin" || states === "product-code"
    const none = isFilled ? { none: { settings: { unmapped: "unread" } } } : {}
    return states === undefined || fields.length === 0 ? [] : [{ states, setting, fields, ...none }]
  })

/** An author's own exception is a mistake of the adapter and stays one; what the kit threw into the loop is why the export cannot be read. */
const thrownOf = (thrown: unknown): Effect.Effect<never, AdapterError> =>
  thrown instanceof AdapterError ? Effect.fail(thrown) : Effect.die(thrown)

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
