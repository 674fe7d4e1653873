import type { Table } from "@fiscal-connector/adapter-csv/CsvFormat"
import { type Adapter, Finding } from "@fiscal-connector/core/adapter"
import { TextFile } from "@fiscal-connector/core/host"
import { AnsweredReading, BookText } from "@fiscal-connector/core/host/import"
import { Effect, Option, Schema, SchemaAST, SchemaIssue } from "effect"
import { Flag } from "effect/cli"
import { flagNameOf } from "../output/AnswerFlag.ts"
import { Call } from "../output/Call.ts"
import { type ExitError, notDone } from "../output/ExitError.ts"
import { report } from "../output/FindingReport.ts"
import type { Loaded } from "./AdapterModule.ts"
import type { FormatAdapter, FormatRow } from "../format/Formats.ts"

type ValueFlag = Flag.Flag<Option.Option<unknown>>

interface SettingFlag {
  readonly setting: string
  readonly name: string
  readonly description: string
  readonly flag: ValueFlag
  readonly pairs: Pairs | undefined
}

export interface Format {
  readonly adapter: FormatAdapter
  readonly exports: string
  readonly content: FormatRow["content"] | undefined
  readonly code: string | undefined
  readonly extensions: RegExp
  readonly ending: string
  readonly flags: Readonly<Record<string, ValueFlag>>
  readonly settings: ReadonlyArray<SettingFlag>
  readonly reading: ReadonlyArray<string>
}

export interface FormatSource extends Format {
  readonly options: object
  readonly alongside: ReadonlyArray<string>
}

export const adapterFlag = Flag.String("adapter").pipe(
  Flag.withDescription(
    "an adapter: its file, or a package of this folder's node_modules. It is code that runs with your rights"
  )
)

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const parts = ast._tag === "Union" ? ast.types : [ast]
  const literals = parts.flatMap((part) =>
    part._tag === "Literal" && typeof part.literal === "string" ? [part.literal] : []
  )
  return literals.length === parts.length ? literals : []
}

interface Pairs {
  readonly keys: ReadonlyArray<string>
  readonly values: ReadonlyArray<string>
}

const pairsOf = (ast: SchemaAST.AST): Pairs | undefined => {
  if (ast._tag !== "Objects") return undefined
  const [values = [], ...others] = [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) =>
    literalsOf(type)
  )
  return values.length === 0 || others.some((other) => other.length === 0)
    ? undefined
    : { keys: ast.propertySignatures.map(({ name }) => String(name)), values }
}

const isInt = ({ checks }: SchemaAST.AST): boolean =>
  checks?.some(({ annotations }) => annotations?.["expected"] === "an integer") ?? false

/** Undefined for values that only a column map can state. */
const flagOf = (name: string, schema: Schema.Top): Flag.Flag<unknown> | undefined => {
  const { ast } = schema
  const literals = literalsOf(ast)
  if (literals.length > 0) return Flag.Literals(name, literals)
  switch (ast._tag) {
    case "Boolean":
      return Flag.Boolean(name)
    case "Number":
      return (isInt(ast) ? Flag.Int(name) : Flag.Finite(name)).pipe(
        Flag.withSchema(schema as Schema.Codec<number, number>)
      )
    case "Arrays":
      return Flag.map(Flag.String(name), (text) => [text])
    case "Objects":
      return pairsOf(ast) === undefined ? undefined : Flag.KeyValuePair(name)
    default:
      return Flag.String(name)
  }
}

const described = (flag: Flag.Flag<unknown>, description: string): ValueFlag =>
  Flag.optional(Flag.withDescription(flag, description))

const settingFlags = ({ name: adapter, options }: FormatAdapter, prefix: string): ReadonlyArray<SettingFlag> =>
  Object.entries((options as { readonly fields?: Readonly<Record<string, Schema.Top>> }).fields ?? {}).flatMap(
    ([setting, schema]) => {
      const name = `${prefix}${flagNameOf(setting)}`
      const flag = flagOf(name, schema)
      const description = SchemaAST.resolveDescription(schema.ast) ?? `${setting} of the adapter ${adapter}`
      return flag === undefined
        ? []
        : [{ setting, name, description, flag: described(flag, description), pairs: pairsOf(schema.ast) }]
    }
  )

const tableFlags = ({ layouts }: Table<object>): Format["flags"] => ({
  columns: described(
    Flag.File("columns", { mustExist: true }),
    "the column map: the meaning of each column of the export"
  ),
  layout: described(Flag.String("layout"), `the known layout of the file: ${layouts.join(", ")}`)
})

export const endings = (extensions: ReadonlyArray<string>, content: Format["content"]): RegExp =>
  extensions.length === 0
    ? /./
    : new RegExp(
        `(${extensions.map((extension) => extension.replaceAll(/[^a-z0-9]/gi, String.raw`\$&`)).join("|")})${content === "workbook" ? "" : String.raw`(\.gz)?`}$`,
        "i"
      )

const make = (
  adapter: FormatAdapter,
  { code, content, exports }: Pick<Format, "code" | "content" | "exports">,
  settings: ReadonlyArray<SettingFlag>,
  naming: Format["flags"]
): Format => {
  const { alongside = {}, extensions, table } = adapter
  const reading = {
    ...naming,
    ...(table && tableFlags(table)),
    ...Object.fromEntries(settings.map(({ flag, name }) => [name, flag]))
  }
  const files = Object.entries(alongside).map(
    ([name, description]) => [name, described(Flag.Path(name, { mustExist: true }), description)] as const
  )
  return {
    adapter,
    exports,
    content,
    code,
    extensions: endings(extensions, content),
    ending: extensions[0] ?? ".json",
    flags: { ...Object.fromEntries(files), ...reading },
    settings,
    reading: Object.keys(reading)
  }
}

export const of = async ({ content, exports, load }: FormatRow): Promise<Format> => {
  const { adapter } = await load()
  return make(adapter, { content, exports, code: undefined }, settingFlags(adapter, ""), {})
}

/**
 * Fails if a flag has the name of one of the command's flags, which `taken` lists by field names.
 */
export const own = ({ adapter, file }: Loaded, taken: ReadonlyArray<object>): Effect.Effect<Format, ExitError> => {
  const others = [...taken.flatMap(Object.keys).map(flagNameOf), ...general]
  const settings = settingFlags(adapter, `${adapter.name}-`)
  const shadowing = settings.find(({ name }) => others.some((other) => name === other || name === `no-${other}`))
  if (shadowing === undefined) {
    const exports = "exports that an adapter of your own reads"
    return Effect.succeed(
      make(adapter, { code: file, content: undefined, exports }, settings, {
        adapter: Flag.map(adapterFlag, Option.some)
      })
    )
  }
  return Effect.fail(
    notDone(
      `The option ${shadowing.setting} of the adapter ${adapter.name} would be --${shadowing.name}, which is a flag of this command. Nothing was read. Give the adapter or its option another name.`
    )
  )
}

const general = ["adapter", "help", "version", "log-level", "completions", "wizard", "json", "quiet", "verbose"]

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

const wrong = (flag: SettingFlag | undefined, adapter: string, message: string): string => {
  if (flag?.pairs === undefined) return `--${flag?.name ?? adapter}: ${message}`
  const { keys, values } = flag.pairs
  const key = keys.length === 0 ? "NAME" : "KIND"
  const listed = keys.length === 0 ? "" : ` ${key} is one of ${keys.join(", ")}.`
  return `--${flag.name} takes ${values.map((value) => `${key}=${value}`).join(" or ")}.${listed}`
}

type FlagValues = Readonly<Record<string, Option.Option<unknown>>>

const settingsOf = ({ adapter, settings }: Format, given: FlagValues): Effect.Effect<object, ExitError> => {
  const entries = settings.flatMap(({ name, setting }) =>
    Option.toArray(given[name] ?? Option.none()).map((value) => [setting, value] as const)
  )
  return Schema.decodeEffect(adapter.options, { errors: "all", onExcessProperty: "error" })(
    Object.fromEntries(entries)
  ).pipe(
    Effect.mapError(({ issue }) => {
      const problems = standard(issue).issues.map(({ message, path }) =>
        wrong(
          settings.find(({ setting }) => setting === String(path?.[0])),
          adapter.name,
          message
        )
      )
      return notDone([...new Set(problems)].join("\n"))
    })
  )
}

export const optionsOf = (adapter: FormatAdapter, map: object, settings: object, layout: string | undefined): object =>
  AnsweredReading.laidAll(adapter, map, [
    ...(layout === undefined ? [] : [{ layout }]),
    { settings: settings as Readonly<Record<string, unknown>> }
  ])

/** Column names identify similar files. Empty for JSON: its answers apply to the whole format. */
export const header = (
  adapter: FormatAdapter,
  file: Adapter.InputFile,
  settings: Readonly<Record<string, unknown>>
): Effect.Effect<ReadonlyArray<string>, Adapter.AdapterError> =>
  adapter.table === undefined
    ? Effect.succeed([])
    : adapter.table.header(file, optionsOf(adapter, {}, settings, undefined))

export const withDefaults = (format: Format): FormatSource => ({
  ...format,
  options: optionsOf(format.adapter, {}, {}, undefined),
  alongside: []
})

export const sourceOf = Effect.fnUntraced(function* (format: Format, flags: object) {
  const { adapter } = format
  const given = flags as FlagValues
  const textOf = (name: string) => Option.getOrUndefined(given[name] ?? Option.none()) as string | undefined
  const columns = adapter.table === undefined ? undefined : textOf("columns")
  const map = columns === undefined ? {} : yield* mapFile(adapter.table!, columns)
  const settings = yield* settingsOf(format, given)
  const options = optionsOf(adapter, map, settings, adapter.table && textOf("layout"))
  const alongside = Object.keys(adapter.alongside ?? {}).flatMap((name) => textOf(name) ?? [])
  return { ...format, options, alongside } satisfies FormatSource
})

export const columnMap = Effect.fnUntraced(function* ({ map, mapInvalid }: Table<object>, file: string, text: string) {
  const call = yield* Call
  const refused = (findings: ReadonlyArray<Finding.Finding>) => {
    const found = findings.map((finding) => ({ finding, subject: undefined }))
    return notDone(`The column map ${file} cannot be used:\n\n${report(found, call)}`)
  }
  const invalid = ({ at, message, path }: Finding.Finding) => Finding.make(mapInvalid, { message, path, at })
  // syntax errors and repeated fields are reported as for every file that the user writes
  const { repeated } = yield* Effect.mapError(Effect.fromResult(BookText.read(file, text)), (places) =>
    refused(places.map(invalid))
  )
  if (repeated.length > 0) return yield* refused(repeated.map(invalid))
  return yield* Effect.mapError(map(file, text), ({ findings }) => refused(findings))
})

export const mapFile = (table: Table<object>, file: string) =>
  Effect.flatMap(TextFile.read(file), (text) => columnMap(table, file, text))
