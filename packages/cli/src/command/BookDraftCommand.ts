import { BookSkeleton } from "@fiscal-connector/core/host/import"
import { BookDrafting } from "@fiscal-connector/core/adapter"
import { Effect, FileSystem, Option } from "effect"
import type { Command } from "effect/cli"
import * as Format from "../adapter/Format.ts"
import { formats } from "../format/Formats.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import * as AdapterAnswer from "../import/AdapterAnswer.ts"
import * as InputFiles from "../import/InputFiles.ts"
import { printable } from "../output/Terminal.ts"
import { notDone } from "../output/ExitError.ts"
import { importFlags } from "./import/ImportFlags.ts"
import { Call } from "../output/Call.ts"
import * as Output from "../output/Output.ts"
import { commandGroup, describedCommand, optionalText } from "../output/Flags.ts"

const flags = {
  files: importFlags.files,
  book: optionalText("book", "the book to write; default x.book.json beside x.csv. An existing book is not changed"),
  zone: optionalText("zone", "the business time zone, for example +02:00; exports do not state it")
}

type BookDraftFlags = Command.Command.Config.Infer<typeof flags>

const run = Effect.fnUntraced(function* (
  { adapter, alongside, extensions, options }: Format.FormatSource,
  given: BookDraftFlags
) {
  const fs = yield* FileSystem.FileSystem
  const files = [...given.files, ...alongside]
  const file = yield* bookFile(given)
  if (yield* fs.exists(file)) {
    return yield* notDone(`There is a book ${file} already; it was not changed. Name another with --book.`)
  }
  const input = yield* InputFiles.open(adapter.name, files, extensions)
  const drafting = adapter.draftBook?.(input, options) ?? BookDrafting.draft(adapter.read(input, options))
  const found = yield* Effect.catch(drafting, AdapterAnswer.quit)
  if (found.taxes.length + found.currencies.length === 0) {
    return yield* notDone(`No issued document in ${files.join(", ")} states a tax or a currency; no book was written.`)
  }
  const zone = Option.getOrUndefined(given.zone)
  yield* fs.writeFileString(file, BookSkeleton.ofExport(found, zone), { flag: "wx", mode: 0o600 })
  const counts = [
    counted(found.taxes.length, "tax", "taxes"),
    counted(found.currencies.length, "currency", "currencies"),
    ...(found.payments.length > 0 ? [counted(found.payments.length, "payment method", "payment methods")] : [])
  ]
  yield* Output.answer(
    "book-draft",
    { file, taxes: found.taxes, currencies: found.currencies, payments: found.payments },
    `${printable(`${file} drafted: ${counts.join(", ")}.`)} Fill in every "" in it, then:\n  ${(yield* Call).next({ command: ["book", "check"], operands: [file] })}`
  )
}, Effect.scoped)

const bookFile = ({ book, files }: BookDraftFlags) =>
  Option.match(book, {
    onSome: Effect.succeed,
    onNone: () =>
      files[0] === "-"
        ? notDone("Standard input has no folder: name the book with --book FILE.")
        : BookOfExport.beside(files[0]!)
  })

const counted = (n: number, one: string, several: string) => `${n} ${n === 1 ? one : several}`

export const draftFlags = flags

const command = (format: Format.Format, name: string = format.adapter.name) =>
  describedCommand(
    name,
    `Draft a mapping book from ${format.exports}`,
    { ...flags, ...format.flags },
    Effect.fnUntraced(function* (given) {
      yield* run(yield* Format.sourceOf(format, given), given)
    })
  )

export const bookDraft = async (own: Format.Format | undefined) =>
  own !== undefined
    ? command(own, "draft")
    : commandGroup(
        "draft",
        "Draft a mapping book from the spellings of an export, for you to complete",
        await Promise.all(formats.map(async (row) => command(await Format.of(row))))
      )
