/** Detects a mapping book given as the configuration, and the reverse. */
import { TextFile } from "@fiscal-connector/core/host"
import { BookText } from "@fiscal-connector/core/host/import"
import { Effect, type FileSystem, Result } from "effect"
import { Call, shellText } from "../output/Call.ts"
import { notDone } from "../output/ExitError.ts"
import { printable } from "../output/Terminal.ts"
import * as ConfigBeside from "./ConfigBeside.ts"

export type OwnFile = "mapping book" | "configuration"

const flags = { "mapping book": "book", configuration: "config" } as const

const fields: Readonly<Record<OwnFile, ReadonlyArray<string>>> = {
  "mapping book": ["zone", "taxes", "currencies", "payments", "productCodes"],
  configuration: ["accounts", "store", "alert"]
}

const takesBook: ReadonlySet<string> = new Set([
  "plan",
  "import",
  "start",
  "doctor",
  "mappings",
  "originals",
  "config",
  "support-bundle",
  "ui"
])

const kindOf = (file: string): Effect.Effect<OwnFile | undefined, never, FileSystem.FileSystem> =>
  Effect.match(TextFile.read(file), {
    onFailure: () => undefined,
    onSuccess: (text) => {
      const read = BookText.read(file, text)
      const value: unknown = Result.isSuccess(read) ? read.success.value : undefined
      if (typeof value !== "object" || value === null) return undefined
      const has = (kind: OwnFile) => fields[kind].some((field) => field in value)
      const [isBook, isConfiguration] = [has("mapping book"), has("configuration")]
      if (isBook === isConfiguration) return undefined
      return isBook ? "mapping book" : "configuration"
    }
  })

/** The file beside the book, where `start` and `init` write it. */
const configurationBeside = Effect.fnUntraced(function* (book: string) {
  const beside = yield* ConfigBeside.ofExport(book)
  return (yield* kindOf(beside)) === "configuration" ? beside : undefined
})

/** Fails with the call that has each file at its correct flag. */
export const mustBe = Effect.fnUntraced(function* (wanted: OwnFile, file: string) {
  const is = yield* kindOf(file)
  if (is === undefined || is === wanted) return
  const call = yield* Call
  const given = call.value(flags[is])
  const other = given === undefined ? undefined : yield* kindOf(given)
  // the two files may have been swapped
  const exchanged = other === wanted ? given : undefined
  const book = is === "mapping book" ? (other === is ? given : file) : exchanged
  const isOptional = call.command === "plan" || call.place === "gone"
  const configuration =
    is === "configuration"
      ? other === is
        ? given
        : file
      : (exchanged ?? (yield* configurationBeside(file)) ?? (isOptional ? undefined : "FILE"))
  // `book check FILE` has no flags for the two
  const checked = shellText(["config", "check", "--config", file])
  const corrected =
    call.command === "book" && is === "configuration"
      ? checked
      : call.like({
          leavesOut: (flag) => flag === "--book" || flag === "--config",
          flags: [
            ...(book === undefined || !takesBook.has(call.command) ? [] : ["--book", book]),
            ...(configuration === undefined || call.place === "gone" ? [] : ["--config", configuration])
          ]
        })
  return yield* notDone(
    [
      `${printable(file)} is a ${is}, not a ${wanted}. Nothing was sent. With each file at its flag:`,
      `  ${corrected}`,
      ...(configuration === "FILE"
        ? [`FILE is the configuration. To write a first one:\n  ${shellText(["init"])}`]
        : [])
    ].join("\n")
  )
})
