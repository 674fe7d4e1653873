/** An export to hold an adapter against, with what a person knows of it. */
import type { Input } from "@fiscal-connector/core/source/Adapter"
import { Effect, Schema, Stream } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Facts, Json } from "./Facts.ts"

export interface Fixture<Options> {
  readonly name: string
  readonly input: Input
  readonly options: Options
  /** Left out: nobody has written them yet, and the suite says so. */
  readonly facts?: Facts | undefined
}

/** Of a folder of fixtures: the options its adapter reads them with, and the facts; neither is part of the export. */
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
 * The fixtures of a folder, one in each folder inside it: the files of an export, read in the order of their names, with `facts.json` and
 * `options.json` beside them. Fails with the file that is none of these.
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
            facts: (yield* Schema.decodeEffect(FactsFile)(facts)) as Facts & {
              readonly readings: ReadonlyArray<Json>
            }
          })
        }
      })
  )
