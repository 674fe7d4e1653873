/** An export to test an adapter with, and the author's knowledge about the export. */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, Schema, Stream } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { FixtureFacts, Json } from "./Facts.ts"

export interface Fixture<Options> {
  readonly name: string
  readonly input: Adapter.Input
  readonly options: Options
  /** Reviewed facts. Without facts the suite fails and asks for them. */
  readonly facts?: FixtureFacts | undefined
}

/**
 * Files of a fixture folder that are not part of the export: the facts, and the options of the
 * adapter.
 */
export const factsFile = "facts.json"
export const optionsFile = "options.json"

const isExport = (name: string) => name !== factsFile && name !== optionsFile && !name.startsWith(".")

const FactsFile = Schema.fromJsonString(
  Schema.Struct({ reviewed: Schema.Boolean, records: Schema.NullOr(Schema.Int), readings: Schema.Array(Schema.Json) })
)

const textIn = (folder: string, name: string): string | undefined => {
  const path = join(folder, name)
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, "utf8")
}

/**
 * Loads the fixtures of a folder, one from each subfolder: the files of an export in the order of
 * their names, with `facts.json` and `options.json`.
 *
 * Fails with a SchemaError if `facts.json` or `options.json` has another structure.
 */
export const inFolder = <Options>(
  folder: string,
  options: Schema.Codec<Options, unknown>
): Effect.Effect<ReadonlyArray<Fixture<Options>>, Schema.SchemaError> =>
  Effect.forEach(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted(),
    (name) =>
      Effect.gen(function* () {
        const here = join(folder, name)
        const files = readdirSync(here).filter(isExport).toSorted()
        const facts = textIn(here, factsFile)
        return {
          name,
          input: {
            files: files.map((file) => ({
              name: file,
              bytes: Stream.sync(() => Uint8Array.from(readFileSync(join(here, file))))
            }))
          },
          options: yield* Schema.decodeUnknownEffect(options)(JSON.parse(textIn(here, optionsFile) ?? "{}")),
          ...(facts !== undefined && {
            facts: (yield* Schema.decodeEffect(FactsFile)(facts)) as FixtureFacts & {
              readonly readings: ReadonlyArray<Json>
            }
          })
        }
      })
  )
