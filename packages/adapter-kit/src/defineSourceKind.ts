/**
 * Builds a kind of live source: the settings of its entries in a configuration, its login, and how
 * a source is opened.
 */
import type { LiveSource, LiveSourceError, TokenFile } from "@fiscal-connector/core/adapter"
import {
  type Effect,
  type FileSystem,
  type Redacted,
  Result,
  Schema,
  SchemaAST,
  SchemaGetter,
  SchemaIssue,
  type Scope
} from "effect"
import type { HttpClient } from "effect/http/HttpClient"
import { kitVersion } from "./KitVersion.ts"
import { isLoopback } from "./Loopback.ts"
import type { LoginOptions } from "./OAuthGrants.ts"

/** Facts of an entry that every source has. */
export interface SourceEntry {
  readonly name: string
  /** Identifier of the company in the source. */
  readonly tenant: string
  /** Folder of the configuration file. Paths in settings are relative to it. */
  readonly folder: string
  /** Content of `secretFile`, or output of `secretCommand`. */
  readonly secret: Redacted.Redacted<string> | undefined
}

/** An entry with its settings and the options of its adapter. */
export interface GivenSource<Settings, Options> extends SourceEntry {
  readonly settings: Settings
  readonly options: Options
}

/** A setting that cannot be used. */
export interface SettingProblem {
  /** Path below the entry, as `["options", "tin"]`. */
  readonly path: ReadonlyArray<string>
  readonly message: string
}

/** Login of a user in a browser (OAuth 2). */
export interface SourceLogin {
  readonly options: LoginOptions
  readonly tokens: Effect.Effect<TokenFile.Tokens, never, FileSystem.FileSystem>
  readonly tokenFile: string
}

/** A running system to try the kind with, and how to reach it. */
export interface ServedSource {
  /** Address without a slash at its end. */
  readonly url: string
  /** Settings of an entry that reads the system: tenant, settings of the kind, options. */
  readonly entry: Readonly<Record<string, unknown>>
  /** Shell commands to run once, before the first run: secrets, tokens. */
  readonly setup: ReadonlyArray<string>
  /** Shell commands for a change or a fault, by their subject. */
  readonly controls: Readonly<Record<string, string>>
}

/**
 * A system with the published interface of the kind. It is never kinder than the interface: what a
 * request has too much is ignored or refused there as by the vendor.
 */
export interface TestServer {
  /** Lists of a JSON file that name the documents of this system. */
  readonly lists: ReadonlyArray<string>
  /** Serves the records of a file, on a port of this machine, until the scope closes. */
  readonly start: (
    file: Readonly<Record<string, unknown>>,
    port: number
  ) => Effect.Effect<ServedSource, { readonly message: string }, Scope.Scope>
}

type SourceOpening<Options> = Effect.Effect<
  LiveSource.LiveSource<Options>,
  LiveSourceError.LiveSourceError,
  HttpClient | FileSystem.FileSystem
>

/** Definition of a kind, written by its author. */
export interface SourceKindDefinition<Fields extends Schema.Struct.Fields, Options> {
  /** Settings of an entry besides those of every source. Descriptions appear in the JSON Schema. */
  readonly settings: Fields
  readonly options: Schema.Decoder<Options>
  /** Returns problems that no single setting shows, such as a missing secret. */
  check?(entry: SourceEntry): ReadonlyArray<SettingProblem>
  /** Makes the source. Sends no request. */
  open(given: GivenSource<Schema.Struct<Fields>["Type"], Options>): SourceOpening<Options>
  /** Omit for a system with a key. */
  login?(given: GivenSource<Schema.Struct<Fields>["Type"], Options>): SourceLogin
  /** Loads a system to try the kind with: `connector sandbox --sources`. */
  testServer?(): Promise<TestServer>
}

/** A usable source of a configuration. */
export interface SettledSource {
  readonly open: SourceOpening<unknown>
  /** Null for a system with a key. */
  readonly login: SourceLogin | null
}

/** A kind of live source, as a host uses it. */
export interface SourceKind {
  readonly kit: number
  /** Schema of the settings, for editors. */
  readonly settings: Schema.Struct<Schema.Struct.Fields>
  /** Loads a system to try the kind with; undefined where the kind has none. */
  readonly testServer: (() => Promise<TestServer>) | undefined
  /** Checks an entry as it is written. Fails with every problem. */
  settle(
    given: GivenSource<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>>
  ): Result.Result<SettledSource, ReadonlyArray<SettingProblem>>
}

const expected = "expected an https address (http on this machine only) without user name or query"

const isAllowed = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const plain = `${url.username}${url.password}${url.search}${url.hash}` === ""
  return plain && (url.protocol === "https:" || isLoopback(url))
}

/** Address of one endpoint of a source: https, or http on this machine. */
export const EndpointAddress = Schema.NonEmptyString.check(Schema.makeFilter((text) => isAllowed(text) || expected))

/** Address of a source, below which its endpoints are; slashes at its end are left out. */
export const SourceAddress = EndpointAddress.pipe(
  Schema.decode({
    decode: SchemaGetter.transform((text: string) => text.replace(/(?<!\/)\/+$/, "")),
    encode: SchemaGetter.passthrough()
  })
)

/** Address on this machine to which a browser is sent after a login. */
export const RedirectAddress = Schema.NonEmptyString.check(
  Schema.makeFilter(
    (text) =>
      (isAllowed(text) && new URL(text).protocol === "http:") ||
      "expected an http address on this machine, as http://localhost:8765/callback"
  )
)

/** Records of a page. */
export const PageSize = Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 1000 })).annotate({
  description: "records of a page; default 500"
})

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

const decoded = <A>(schema: Schema.Decoder<A>, value: unknown, path: ReadonlyArray<string>) =>
  Result.mapError(
    Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(value),
    ({ issue }): ReadonlyArray<SettingProblem> =>
      standard(issue).issues.map(({ message, path: keys = [] }) => ({ path: [...path, ...keys.map(String)], message }))
  )

/** Makes a kind of a definition. */
export const defineSourceKind = <Fields extends Schema.Struct.Fields, Options>(
  definition: SourceKindDefinition<Fields, Options>
): SourceKind => {
  const schema = Schema.Struct(definition.settings)
  return {
    kit: kitVersion,
    settings: schema as unknown as SourceKind["settings"],
    testServer: definition.testServer,
    settle: ({ options, settings, ...entry }) => {
      const missing = ({ message, path }: SettingProblem): SettingProblem => {
        const [field] = path.length === 1 && message === "Missing key" ? path : []
        const setting = field === undefined ? undefined : definition.settings[field]
        const description = setting && SchemaAST.resolveDescription(setting.ast)
        return description === undefined ? { message, path } : { message: `expected ${description}`, path }
      }
      const own = decoded(schema as unknown as Schema.Decoder<Schema.Struct<Fields>["Type"]>, settings, [])
      const ofAdapter = decoded(definition.options, options, ["options"])
      const problems = [
        ...(Result.isFailure(own) ? own.failure.map(missing) : []),
        ...(Result.isFailure(ofAdapter) ? ofAdapter.failure : []),
        ...(definition.check?.(entry) ?? [])
      ]
      if (Result.isFailure(own) || Result.isFailure(ofAdapter) || problems.length > 0) return Result.fail(problems)
      const given = { ...entry, settings: own.success, options: ofAdapter.success }
      // the options of a source belong to its own adapter, which its host hands them back to
      const open = definition.open(given) as unknown as SettledSource["open"]
      return Result.succeed({ open, login: definition.login?.(given) ?? null })
    }
  }
}
