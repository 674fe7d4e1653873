/**
 * Runs the accounting system of a kind beside the sandbox, with the documents of a file, and
 * describes how to reach it.
 */
import type { ServedSource } from "@fiscal-connector/adapter-kit"
import { Array as Arr, Effect, FileSystem, Option, Predicate } from "effect"
import * as SourceKinds from "../../adapter/SourceKinds.ts"
import { kinds } from "../../format/Formats.ts"
import { notDone } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"
import { paragraphs } from "../../output/Paragraphs.ts"

const listsIn = (file: string) =>
  Effect.flatMap(
    FileSystem.FileSystem.use((fs) => fs.readFileString(file)),
    (text) => Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => undefined })
  ).pipe(
    Effect.filterOrFail(Predicate.isReadonlyObject, () => undefined),
    Effect.mapError(() => notDone(`${printable(file)} is not JSON with lists of records.`))
  )

const serverOf = Effect.fnUntraced(function* (name: string) {
  const { testServer } = yield* SourceKinds.load(name, ".")
  return testServer === undefined
    ? yield* notDone(`The kind ${printable(name)} has no system to try it with.`)
    : { name, ...(yield* Effect.promise(testServer)) }
})

/** Default port: the gateway's port plus ten. */
const port = 4020

export interface SandboxSource extends ServedSource {
  readonly kind: string
}

/**
 * Starts the system of the kind; without a kind, the system of the table whose lists the file has.
 * It stops when the scope closes.
 */
export const start = Effect.fnUntraced(function* (file: string, kind: Option.Option<string>) {
  const given = yield* listsIn(file)
  const named = Option.match(kind, { onNone: () => kinds.map(({ name }) => name), onSome: (name) => [name] })
  const servers = yield* Effect.forEach(named, serverOf)
  const found = Arr.findFirst(servers, ({ lists }) => lists.some((list) => Array.isArray(given[list])))
  if (Option.isNone(found)) {
    const all = servers.map(({ lists, name }) => `${name} (${lists.join(", ")})`).join(" or ")
    return yield* notDone(`${printable(file)} has no list of records of ${printable(all)}.`)
  }
  const served = yield* Effect.mapError(found.value.start(given, port), ({ message }) => notDone(message))
  return { kind: found.value.name, ...served } satisfies SandboxSource
})

export const howToReach = ({ controls, entry, kind, setup, url }: SandboxSource, account: string): string => {
  const common = { kind, account, book: "YOUR.book.json", goLive: "2025-01-01", consent: "send" }
  const sources = JSON.stringify({ books: { ...common, ...entry } }, null, 2).replaceAll("\n", "\n  ")
  const width = Math.max(0, ...Object.keys(controls).map(({ length }) => length)) + 2
  const calls = Object.entries(controls).map(([subject, call]) => `${subject.padEnd(width)}${call}`)
  return paragraphs([
    `The accounting system listens at ${url}. To read it, add to sandbox.json:`,
    `  "sources": ${sources}`,
    "Its secrets, and the first run, which is a plan:",
    [...setup, "connector sync books --config sandbox.json"].join("\n"),
    calls.join("\n")
  ])
}
