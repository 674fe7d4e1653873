/** From flags to an import job: the book, the account, the store; then `Importing.run`. */
import type { Adapter } from "@fiscal-connector/core/source/Adapter"
import { Effect, FileSystem, Option } from "effect"
import type { Command } from "effect/cli"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as Engine from "../account/Engine.ts"
import * as LiveGuard from "../account/LiveGuard.ts"
import * as SandboxAccount from "../account/SandboxAccount.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import * as Importing from "../import/Importing.ts"
import * as InputFiles from "../import/InputFiles.ts"
import * as RefusedFile from "../import/RefusedFile.ts"
import { Quit } from "../Quit.ts"
import type { importFlags } from "./ImportFlags.ts"

type Flags = Command.Command.Config.Infer<typeof importFlags>

/** An adapter with its options, and the endings of its files, for folders. */
export interface Source<Options> {
  readonly adapter: Adapter<Options>
  readonly extensions: RegExp
  /** Of a file it writes that has no export to be named after. */
  readonly ending: string
  readonly options: Options
}

/** A plan looks at the store there is, and makes none. */
const toLookAt = (store: string) =>
  FileSystem.FileSystem.use((fs) =>
    fs.stat(store).pipe(
      Effect.map(({ size }) => (Number(size) === 0 ? ":memory:" : store)),
      Effect.orElseSucceed(() => ":memory:")
    )
  )

/** Runs `plan` or `import` for one adapter. */
export const run = <Options>(
  mode: "plan" | "import",
  { adapter, ending, extensions, options }: Source<Options>,
  flags: Flags
) =>
  Effect.gen(function* () {
    const { account: named, config, files, json, original, sandbox, sendRest } = flags
    if (sandbox === Option.isSome(config)) {
      const text =
        "Say where the documents go: --sandbox for a gateway of our own, or --config FILE for an account; one of them."
      return yield* new Quit({ code: 1, text })
    }
    const input = yield* InputFiles.open(adapter.name, files, extensions)
    const book = yield* BookOfExport.load(files, flags.book)
    const account = yield* Option.match(config, {
      onNone: () => SandboxAccount.connect(book),
      onSome: (file) => ConfigAccount.connect(file, named)
    })
    if (mode === "import") yield* LiveGuard.check(account, flags.live ? "live" : "not-given")
    yield* Importing.run({
      mode,
      readings: adapter.read(input, options),
      writeRefused: adapter.writeRefused,
      refusedFile: yield* RefusedFile.beside(files[0]!, ending),
      book,
      account,
      originals: new Map(Object.entries(Option.getOrElse(original, () => ({})))),
      whenLate: sendRest || sandbox ? "send-rest" : "stop",
      passage: flags.historical ? "historical" : "ordinary",
      output: json ? "json" : "people"
    }).pipe(
      Effect.provide(
        mode === "plan" ? Engine.layer(yield* toLookAt(account.store), "looking") : Engine.layer(account.store)
      )
    )
  }).pipe(Effect.scoped)
