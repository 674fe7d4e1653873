import { AtomicFile, PdfName } from "@fiscal-connector/core/host"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Console, Effect, FileSystem, Option, Path, Stream } from "effect"
import { Argument, type Command } from "effect/cli"
import { config } from "../../account/AccountFlags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import { documentFlags, findOne, onPlace } from "../../account/StoreFlags.ts"
import { Call } from "../../output/Call.ts"
import * as NextStep from "../../output/NextStep.ts"
import * as Output from "../../output/Output.ts"
import { ExitError, notDone } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"
import { describedCommand, isSet, optionalText } from "../../output/Flags.ts"

const flags = {
  id: Argument.String("id").pipe(
    Argument.withDescription("the document's number or identifier; leave out with --all"),
    Argument.optional
  ),
  config,
  account: documentFlags.account,
  kind: documentFlags.kind,
  // the gateway's file name is never used as a local path: the file is named after the document or
  // by the user
  out: optionalText("out", "the file to write; default NUMBER.pdf"),
  all: isSet("all", "download for every fiscalised document; existing files are not changed"),
  outDir: optionalText("out-dir", "the folder to write to; default the current folder")
}

type PdfFlags = Command.Command.Config.Infer<typeof flags>

const write = Effect.fnUntraced(function* (file: string, bytes: Uint8Array) {
  const fs = yield* FileSystem.FileSystem
  yield* AtomicFile.write(file, (unfinished) => fs.writeFile(unfinished, bytes, { mode: 0o600 }))
  yield* RunEffect.changed
  return { file, bytes: bytes.length }
})

const gateways = (config: string) => {
  const made = new Map<string, Effect.Success<ReturnType<typeof ConfigAccount.gateway>>>()
  return Effect.fnUntraced(function* (account: string) {
    const gateway = made.get(account) ?? (yield* ConfigAccount.gateway(config, Option.some(account)))
    made.set(account, gateway)
    return gateway.operations
  })
}

const one = Effect.fnUntraced(function* (id: string, given: PdfFlags) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const submission = yield* findOne({ ...given, id })
  const { account, proof, state } = submission
  if (proof === null || proof.fiscalInvoicePdf === null) {
    const look = NextStep.callFor({ do: "explain" }, yield* Call, { number: id })
    return yield* notDone(
      `${printable(id)} is ${state}; there is no PDF of it${proof === null ? " yet" : ""}. Its state:\n  ${look}`
    )
  }
  const accounts = yield* accountsOf
  const folder = Option.getOrElse(given.outDir, () => "")
  const file = Option.getOrElse(given.out, () => path.join(folder, PdfName.nameOf(submission, accounts)))
  if (yield* fs.exists(file)) {
    return yield* notDone(`There is a file ${printable(file)} already; it was not changed. Name another with --out.`)
  }
  const operations = yield* gateways(given.config)(account)
  const bytes = yield* operations.downloadPdf(proof.fiscalInvoicePdf)
  if (Option.isSome(given.outDir)) yield* fs.makeDirectory(folder, { recursive: true })
  const written = yield* write(file, bytes)
  yield* Output.answer("file", written, printable(`${file}, ${written.bytes} bytes`))
})

/**
 * `several` if the store has several accounts. The selection does not matter, so file names stay
 * the same.
 */
const accountsOf = Effect.gen(function* () {
  const store = yield* SubmissionStore.SubmissionStore
  const names = new Set((yield* store.lanes()).flatMap(({ accounts }) => accounts))
  return names.size > 1 ? "several" : "one"
})

const all = Effect.fnUntraced(function* (given: PdfFlags) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const store = yield* SubmissionStore.SubmissionStore
  const accounts = yield* accountsOf
  const operationsOf = gateways(given.config)
  const folder = Option.getOrElse(given.outDir, () => ".")
  const counts = { written: 0, there: 0 }
  const missing: Array<{ readonly number: string; readonly problem: string }> = []
  yield* fs.makeDirectory(folder, { recursive: true })
  const fiscalised = store.stream({
    states: ["Fiscalised"],
    ...(Option.isSome(given.account) && { accounts: [given.account.value] }),
    ...(Option.isSome(given.kind) && { kind: given.kind.value })
  })
  yield* Stream.runForEach(fiscalised, (submission) =>
    Effect.gen(function* () {
      const pdf = submission.proof?.fiscalInvoicePdf ?? null
      if (pdf === null) return
      const file = path.join(folder, PdfName.nameOf(submission, accounts))
      if (yield* fs.exists(file)) {
        counts.there += 1
        return
      }
      const operations = yield* operationsOf(submission.account)
      const bytes = yield* operations.downloadPdf(pdf).pipe(
        Effect.catch((error) => {
          if (error.reason._tag !== "NotFound") return Effect.fail(error)
          missing.push({ number: submission.number, problem: error.message })
          return Effect.void
        })
      )
      if (bytes === undefined) return
      yield* Output.tell("file", yield* write(file, bytes))
      counts.written += 1
    })
  )
  const there = counts.there === 0 ? "" : `, ${counts.there} there already`
  yield* Output.answer(
    "pdfs",
    { folder, ...counts, missing },
    `${counts.written} PDF${counts.written === 1 ? "" : "s"} written to the folder ${printable(folder)}${there}`
  )
  return missing
})

export const pdf = describedCommand(
  "pdf",
  "Download the fiscal PDF of a document, or of all fiscalised documents",
  flags,
  Effect.fnUntraced(function* (given) {
    const { id } = given
    if (given.all === Option.isSome(id)) return yield* notDone("Say the document's number, or --all: one of them.")
    if (Option.isSome(given.out) && (given.all || Option.isSome(given.outDir)))
      return yield* notDone("--out is the file of one document; --out-dir the folder of one or all: one of them.")
    const store = yield* ConfigAccount.storeOf(given.config)
    if (Option.isSome(id)) return yield* onPlace(store, one(id.value, given))
    const missing = yield* onPlace(store, all(given))
    if (missing.length > 0) {
      for (const { number, problem } of missing.slice(0, 20)) yield* Console.error(printable(`${number}: ${problem}`))
      return yield* new ExitError({
        code: 3,
        text: `${missing.length} could not be fetched. Run the command again to fetch the missing ones.`
      })
    }
  }, Effect.scoped)
)
