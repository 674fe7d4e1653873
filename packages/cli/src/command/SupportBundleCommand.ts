import { Clock, DateTime, Effect, FileSystem, Option, Result } from "effect"
import { Flag } from "effect/cli"
import { configOf } from "../account/AccountFlags.ts"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import { chosen, storeFlags, type WhichStore } from "../account/StoreFlags.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import * as Output from "../output/Output.ts"
import { notDone } from "../output/ExitError.ts"
import { allowed, type SupportBundle } from "../support/SupportBundle.ts"
import { printable } from "../output/Terminal.ts"
import { examine } from "./DoctorCommand.ts"
import * as Facts from "./SupportBundleFacts.ts"
import { describedCommand, optionalText } from "../output/Flags.ts"
import { paragraphs } from "../output/Paragraphs.ts"

const inIt = [
  "versions of the command, Node and the platform",
  "of the configuration: which settings there are, and where key and secret come from",
  "of the mapping book: how many taxes, currencies and payments it has, and its policies",
  "of the store: its id, version, size, and how many documents are in which state, held for what",
  "of each lane: its stop, since when something waits",
  `of the last ${Facts.attempts} attempts: when, how far they got, status, code, milliseconds, result`,
  "what doctor finds: codes, and what they mean in general"
]

const notInIt = [
  "keys, secrets, passwords, addresses of the gateway and of databases, paths of files",
  "names of accounts, devices and taxpayers",
  "buyers, their addresses and tax numbers, numbers and ids of documents, descriptions, amounts",
  "what the gateway answered in words, and what an operator wrote"
]

const list = (lines: ReadonlyArray<string>) => lines.map((line) => `  - ${line}`).join("\n")

const text = (out: string, bytes: number, bundle: SupportBundle): string => {
  const missing = [
    ...(bundle.configuration.is === "read" ? [] : [`the configuration (${bundle.configuration.because})`]),
    ...(bundle.book.is === "read" ? [] : [`the mapping book (${bundle.book.because})`]),
    ...(bundle.store.is === "read" ? [] : [`the store (${bundle.store.because})`]),
    ...bundle.doctor.flatMap((one) =>
      one.is === "read" ? [] : [`what doctor finds for ${one.account} (${one.because})`]
    )
  ]
  return paragraphs([
    `${printable(out)}: ${bytes} bytes, readable only by you. It was not sent anywhere.`,
    `In it:\n${list(inIt)}`,
    missing.length === 0 ? "" : `Could not be read, or was not named:\n${list(missing)}`,
    `Not in it:\n${list(notInIt)}`
  ])
}

const unread = (because: string) => ({ is: "not-read" as const, because })

/** An unusable file is accepted: the user needs help with it. */
const isThere = Effect.fnUntraced(function* (file: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  if (Option.isSome(file) && !(yield* fs.exists(file.value)))
    return yield* notDone(`There is no file ${printable(file.value)}.`)
})

const gather = Effect.fnUntraced(function* (version: string, which: WhichStore, named: Option.Option<string>) {
  const config = yield* configOf(which.config)
  yield* isThere(config)
  yield* isThere(named)
  const read = Option.isNone(config) ? undefined : yield* Effect.result(ConfigAccount.read(config.value))
  const configuration = read !== undefined && Result.isSuccess(read) ? read.success : undefined
  // an impossible flag is refused; an unusable configuration is accepted, since the user needs
  // help with it
  const place = Option.isSome(which.store) ? Result.succeed(yield* chosen(which)) : yield* Effect.result(chosen(which))
  const book = Option.isNone(named) ? undefined : yield* Effect.result(BookOfExport.load(named.value))
  const stored = Result.isFailure(place) ? undefined : yield* Facts.store(place.success)
  const doctor = yield* Effect.forEach(
    configuration?.accounts ?? [],
    ({ name }, index) =>
      Facts.doctor(
        `account ${index + 1}`,
        Effect.scoped(
          examine({
            config: configuration!.file,
            account: Option.some(name),
            book: book !== undefined && Result.isSuccess(book) ? named : Option.none()
          })
        )
      ),
    { concurrency: 4 }
  )
  const facts: SupportBundle = {
    at: DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis)),
    versions: {
      connector: version,
      node: process.version,
      platform: process.platform,
      architecture: process.arch
    },
    configuration:
      configuration === undefined
        ? unread(read === undefined ? "not-named" : "unusable")
        : Facts.configuration(configuration),
    book:
      book === undefined ? unread("not-named") : Result.isFailure(book) ? unread("unusable") : Facts.book(book.success),
    doctor,
    ...(stored ?? Facts.noStore("unusable", null))
  }
  return yield* Effect.orDie(allowed(facts))
})

export const supportBundleOf = (version: string) =>
  describedCommand(
    "support-bundle",
    "Write a file for technical support: versions, settings, counts and request statistics; without secrets, buyers or documents",
    {
      ...storeFlags,
      book: optionalText("book", "the mapping book; only its policies and numbers of entries are included"),
      out: Flag.String("out").pipe(
        Flag.withDescription("the new file to write"),
        Flag.withDefault("support-bundle.json")
      )
    },
    Effect.fnUntraced(function* ({ book, out, ...which }) {
      const fs = yield* FileSystem.FileSystem
      const taken = notDone(`There is a file ${printable(out)} already, and it is kept. Name another with --out.`)
      // checked before any request to the gateway
      if (yield* fs.exists(out)) return yield* taken
      const bundle = yield* gather(version, which, book)
      const written = `${JSON.stringify({ kind: "support-bundle", version: 1, data: bundle }, null, 2)}\n`
      yield* fs
        .writeFileString(out, written, { flag: "wx", mode: 0o600 })
        .pipe(
          Effect.mapError((error) =>
            error.reason._tag === "AlreadyExists"
              ? taken
              : notDone(`${printable(out)} cannot be written: ${printable(error.message)}`)
          )
        )
      const bytes = Buffer.byteLength(written)
      yield* Output.answer("file", { file: out, bytes }, text(out, bytes, bundle))
    })
  )
