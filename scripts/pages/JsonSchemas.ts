/**
 * JSON Schemas (draft 2020-12) in docs/schemas, for editors and for programs that read the output.
 */
import { Schema } from "effect"
import type { EnvelopeKind } from "../../packages/cli/src/output/Output.ts"
import { fileFields, ownFields, sourceFields } from "../../packages/core/src/configuration/ConfigEntry.ts"
import { GatewaySettings } from "../../packages/core/src/gateway/contract/GatewayConfig.ts"
import { BookFile } from "../../packages/core/src/mapping/BookFile.ts"
import { outputSchemas } from "./OutputSchemas.ts"

type JsonSchema = Readonly<Record<string, unknown>>

const toJson = (title: string, of: Schema.Top, more: JsonSchema, onExcessProperty?: "error"): JsonSchema => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(of, { onExcessProperty })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    ...schema,
    ...more,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions })
  }
}

/** Returns the schema of an envelope. Fields may be added within a version. */
export const ofOutput = (kind: EnvelopeKind): JsonSchema =>
  toJson(
    `fiscal-connector output: ${kind}`,
    Schema.Struct({ kind: Schema.Literal(kind), version: Schema.Literal(1), data: outputSchemas[kind] }),
    {}
  )

/**
 * Returns the schema of the mapping book. A book that extends a base may omit fields of the base.
 */
export const ofBook = (): JsonSchema =>
  toJson(
    "fiscal-connector mapping book",
    BookFile,
    { required: ["version"], anyOf: [{ required: ["extends"] }, { required: ["zone", "taxes", "currencies"] }] },
    "error"
  )

/** A kind of source with the schema of its settings. */
export interface KindSchema {
  readonly name: string
  readonly settings: Schema.Struct<Schema.Struct.Fields>
}

const ofKind = ({ name, settings }: KindSchema) =>
  Schema.Struct({ ...sourceFields, ...settings.fields, kind: Schema.Literal(name) })

/** A kind of an operator's own: its module checks the other settings. */
const ownKind = (kinds: ReadonlyArray<KindSchema>) => {
  const others = new RegExp(`^(?!(?:${kinds.map(({ name }) => name).join("|")})$)`)
  return Schema.StructWithRest(
    Schema.Struct({ ...sourceFields, kind: sourceFields.kind.check(Schema.isPattern(others)) }),
    [Schema.Record(Schema.String, Schema.Unknown)]
  )
}

const { account: _, application, baseUrl, station, ...settings } = GatewaySettings.fields

/** An account entry. Settings that the environment provides may be left out. */
const AccountEntry = Schema.Struct({
  baseUrl: Schema.optionalKey(baseUrl),
  application: Schema.optionalKey(application),
  station: Schema.optionalKey(station),
  ...ownFields,
  ...settings
})

/**
 * Returns the schema of the configuration. `kinds`: kinds of sources that come with the program.
 */
export const ofConfiguration = (kinds: ReadonlyArray<KindSchema>): JsonSchema =>
  toJson(
    "fiscal-connector configuration",
    Schema.Struct({
      ...fileFields,
      accounts: Schema.Record(Schema.String, AccountEntry).annotate({
        description: "the accounts, by our own names of them"
      }),
      sources: Schema.optionalKey(
        Schema.Record(Schema.String, Schema.Union([...kinds.map(ofKind), ownKind(kinds)])).annotate({
          description: "accounting systems that are read live, by your own names of them"
        })
      )
    }).annotate({ description: "the accounts to send for; secrets are never written in this file" }),
    {},
    "error"
  )
