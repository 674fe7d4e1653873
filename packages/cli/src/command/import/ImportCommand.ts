/** From flags to an import job: the book, the account, the store; then `Importing.run`. */
import type { Adapter } from "@fiscal-connector/core/source/Adapter"
import * as StoreOpening from "@fiscal-connector/core/node/StoreOpening"
import * as Readings from "@fiscal-connector/core/source/Readings"
import * as AccountFacts from "@fiscal-connector/core/account/AccountFacts"
import type { OpeningOptions } from "@fiscal-connector/core/account/OpenAccount"
import * as StorePlace from "@fiscal-connector/core/submission/StorePlace"
import { Effect, Option } from "effect"
import type { Command } from "effect/cli"
import type { ChosenAccount } from "../../account/ChosenAccount.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as Engine from "../../account/Engine.ts"
import * as Opening from "../../account/Opening.ts"
import * as SandboxAccount from "../../account/SandboxAccount.ts"
import * as BookOfExport from "../../import/BookOfExport.ts"
import * as Importing from "../../import/Importing.ts"
import * as InputFiles from "../../import/InputFiles.ts"
import * as RefusedFile from "../../import/RefusedFile.ts"
import * as Originals from "../../import/SettledOriginals.ts"
import { Quit } from "../../output/Quit.ts"
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
const toLookAt = (store: StorePlace.StorePlace) =>
  Effect.map(StoreOpening.isThere(store), (isThere) => (isThere ? store : StorePlace.memory))

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
    const chosen = yield* Option.match(config, {
      onNone: () => SandboxAccount.connect(book),
      onSome: (file) => ConfigAccount.choose(file, named, book.zone)
    })
    const job: Importing.ImportJob = {
      order: {
        readings: Readings.from(adapter, input, options),
        book,
        originals: yield* Originals.settled(flags.originals, original),
        whenLate: sendRest || sandbox ? "send-rest" : "stop",
        passage: flags.historical ? "historical" : "ordinary",
        notBefore: Option.getOrElse(flags.notBefore, () => chosen.settings.notBefore)
      },
      store: chosen.store,
      writeRefused: adapter.writeRefused,
      refusedFile: yield* RefusedFile.beside(files[0]!, ending),
      output: json ? "json" : "people"
    }
    yield* mode === "plan" ? plan(job, chosen) : send(job, chosen, Opening.optionsOf(flags, chosen.witness))
  }).pipe(Effect.scoped)

/** Asks the gateway what a plan needs, and opens nothing: a plan writes nothing. */
const plan = Effect.fnUntraced(function* (job: Importing.ImportJob, { settings, store }: ChosenAccount) {
  const facts = yield* AccountFacts.read(settings, job.order.book.zone)
  yield* Importing.plan(job, facts).pipe(Effect.provide(Engine.layer(yield* toLookAt(store), "looking")))
})

const send = (job: Importing.ImportJob, { others, settings, store }: ChosenAccount, options: OpeningOptions) =>
  Effect.gen(function* () {
    const account = yield* Opening.open(settings, options, Importing.period(job, settings))
    yield* Importing.run(job, account, Opening.openBeside(account, others, options))
  }).pipe(Effect.provide(Engine.layer(store)))
