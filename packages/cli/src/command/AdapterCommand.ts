import { EscapedText } from "@fiscal-connector/core/host"
import type { AdapterCheck } from "@fiscal-connector/adapter-kit/conformance"
import type { factsOf as FactsOf } from "@fiscal-connector/adapter-kit/conformance/Facts"
import { type Adapter, Provenance, Readings } from "@fiscal-connector/core/adapter"
import { Cause, Console, Effect, Exit, FileSystem, Option, Path, Stream } from "effect"
import { Argument, Flag } from "effect/cli"
import * as AdapterAnswer from "../import/AdapterAnswer.ts"
import * as Format from "../adapter/Format.ts"
import * as AdapterModule from "../adapter/AdapterModule.ts"
import * as InputFiles from "../import/InputFiles.ts"
import { printable } from "../output/Terminal.ts"
import * as Output from "../output/Output.ts"
import { notDone } from "../output/ExitError.ts"
import { importFlags } from "./import/ImportFlags.ts"
import { commandGroup, describedCommand, isSet, optionalText } from "../output/Flags.ts"

const hereByDefault = Format.adapterFlag.pipe(Flag.withDefault("."))

const described = (reading: Adapter.Reading, factsOf: typeof FactsOf): string => {
  const at = reading._tag === "SourceDocument" ? reading.where([]) : reading.at
  const place = at === undefined ? "" : ` at ${Provenance.format(at)}`
  if (reading._tag === "Skipped") return `skipped ${reading.key}: ${reading.reason}${place}`
  if (reading._tag === "Finding") return `${reading.severity} ${reading.code}: ${reading.message}${place}`
  const { findings, id, kind, lines, number } = reading
  const facts = factsOf(reading) as { readonly [field: string]: unknown }
  const values = Object.entries(facts).flatMap(([field, value]) =>
    ["kind", "id", "number", "lines", "unreadable"].includes(field)
      ? []
      : [`  ${field} ${typeof value === "string" ? value : JSON.stringify(value)}`]
  )
  const written = (facts["lines"] ?? []) as ReadonlyArray<object>
  return [
    `${kind} ${number || id} (id ${id})${place}`,
    ...values,
    ...lines.map(
      (_, i) => `  line ${i + 1} ${JSON.stringify(written[i])} at ${Provenance.format(reading.where(["lines", i]))}`
    ),
    ...findings.map(
      ({ at, code, detail, message }) =>
        `  ${code}: ${message}${detail === undefined ? "" : ` (${detail})`}${at === undefined ? "" : ` at ${Provenance.format(at)}`}`
    )
  ].join("\n")
}

const tags = { SourceDocument: "document", Skipped: "skipped", Finding: "finding" } as const

const tried = Effect.fnUntraced(function* (format: Format.Format, given: { readonly files: ReadonlyArray<string> }) {
  const { adapter, extensions, options } = yield* Format.sourceOf(format, given)
  const input = yield* InputFiles.open(adapter.name, given.files, extensions)
  const { factsOf } = yield* Effect.promise(() => import("@fiscal-connector/adapter-kit/conformance/Facts"))
  const counts = { SourceDocument: 0, Skipped: 0, Finding: 0 }
  yield* Stream.runForEach(Readings.from(adapter, input, options), (reading) => {
    counts[reading._tag]++
    const text = described(reading, factsOf)
    return Output.answer("reading", { is: tags[reading._tag], text }, text.split("\n").map(printable).join("\n"))
  }).pipe(Effect.catch(AdapterAnswer.quit))
  const { Finding: findings, Skipped: skipped, SourceDocument: documents } = counts
  yield* Output.answer(
    "readings",
    { documents, skipped, findings },
    `\n${documents} documents, ${skipped} skipped, ${findings} findings that belong to no document. Nothing was sent.`
  )
}, Effect.scoped)

const dryrun = (ready: Format.Format | undefined) =>
  describedCommand(
    "dryrun",
    "Show what an adapter reads from files, each value with its place; needs no book, sends nothing",
    { files: importFlags.files, ...ready?.flags, adapter: hereByDefault },
    (given) =>
      Effect.flatMap(ready === undefined ? loadedHere(given.adapter) : Effect.succeed(ready), (loaded) =>
        tried(loaded, given)
      )
  )

const loadedHere = (named: string) =>
  Effect.flatMap(AdapterModule.load(named), (loaded) => Format.own(loaded, [importFlags]))

const checkFlags = {
  adapter: hereByDefault,
  fixtures: optionalText(
    "fixtures",
    "the folder of fixtures, one export in each folder of it; without it `fixtures` of the adapter's package"
  ),
  writeFacts: isSet("write-facts", "draft missing facts.json files with open values to fill in; nothing is checked"),
  long: isSet("long", "also check that memory stays flat over 200 MB; takes some minutes")
}

const failureOf = (cause: Cause.Cause<{ readonly message: string }>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

const conformance = Effect.promise(async () => ({
  ...(await import("@fiscal-connector/adapter-kit/conformance")),
  FlatMemory: await import("@fiscal-connector/adapter-kit/conformance/FlatMemory"),
  RoundTrip: await import("@fiscal-connector/adapter-kit/conformance/RoundTrip")
}))

const check = describedCommand(
  "check",
  "Test an adapter against everything that core requires, including planted mistakes",
  checkFlags,
  Effect.fnUntraced(function* ({ adapter: named, fixtures: folder, long, writeFacts }) {
    const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
    // loaded only here: no other command needs these modules
    const { FlatMemory, RoundTrip, draft, factsFile, inFolder, suite } = yield* conformance
    const { adapter, folder: home } = yield* AdapterModule.load(named)
    const at = Option.getOrElse(folder, () => path.join(home ?? ".", "fixtures"))
    if (!(yield* fs.exists(at)))
      return yield* notDone(
        `There are no fixtures in ${at}: name their folder with --fixtures. Each folder in it is one export.`
      )
    const fixtures = yield* inFolder(at, adapter.options).pipe(
      Effect.mapError(({ message }) => notDone(`The fixtures of ${at} cannot be read: ${message}`))
    )
    if (fixtures.length === 0) return yield* notDone(`There is no export in ${at}: each folder in it is one.`)
    if (writeFacts) {
      for (const { facts, input, name, options } of fixtures) {
        if (facts !== undefined) continue
        const readings = yield* Stream.runCollect(adapter.read(input, options)).pipe(Effect.catch(AdapterAnswer.quit))
        const file = path.join(at, name, factsFile)
        yield* fs.writeFileString(file, `${EscapedText.escaped(JSON.stringify(draft(readings), null, 2))}\n`, {
          flag: "wx",
          mode: 0o600
        })
        yield* Output.answer(
          "facts-draft",
          { file },
          `${file} drafted. Type every value in from the export, count its records, then say "reviewed": true.`
        )
      }
      return
    }
    const book = path.join(at, "book.json")
    const checks: ReadonlyArray<AdapterCheck> = [
      ...suite(adapter, fixtures),
      ...((yield* fs.exists(book)) ? [RoundTrip.check(adapter, fixtures, book, yield* fs.readFileString(book))] : []),
      ...(long ? [FlatMemory.check(adapter, fixtures[0]!)] : [])
    ]
    let failed = 0
    for (const { check, name } of checks) {
      const exit = yield* Effect.exit(check)
      const problem = Exit.isSuccess(exit) ? null : failureOf(exit.cause)
      if (problem !== null) failed++
      yield* Output.answer(
        "adapter-check",
        { name, problem },
        problem === null ? `ok    ${name}` : printable(`FAIL  ${name}: ${problem}`)
      )
    }
    if (!(yield* fs.exists(book)))
      yield* Console.log(`No ${book}: the documents that the adapter reads were not sent to a sandbox.`)
    yield* Output.answer(
      "adapter-checked",
      { checks: checks.length, failed },
      `\n${checks.length - failed} of ${checks.length} hold.`
    )
    if (failed > 0) return yield* notDone("")
  })
)

const create = describedCommand(
  "create",
  "Create the folder of a new adapter with code, fixtures, tests and a CI workflow",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("the name of the adapter: lowercase letters, digits and dashes")
    )
  },
  Effect.fnUntraced(function* ({ name }) {
    const { create } = yield* Effect.promise(() => import("create-fiscal-adapter/create"))
    const here = (yield* Path.Path).resolve()
    yield* Effect.try({
      try: () => create(name, here),
      catch: (error) => notDone(error instanceof Error ? error.message : String(error))
    }).pipe(Effect.flatMap((text) => Output.answer("adapter-created", { name, text }, text)))
  })
)

export const adapterWith = (ready: Format.Format | undefined) =>
  commandGroup("adapter", "Create, try and check an adapter for another system", [create, dryrun(ready), check])
