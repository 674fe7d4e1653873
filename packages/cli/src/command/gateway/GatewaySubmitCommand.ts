import { type FiscalDocument, WireCodec } from "@fiscal-connector/core/adapter"
import type { Submission } from "@fiscal-connector/core/store"
import { Effect, FileSystem, Result } from "effect"
import { Argument } from "effect/cli"
import { describedCommand } from "../../output/Flags.ts"
import { accountFlags } from "../../account/AccountFlags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as Engine from "../../account/Engine.ts"
import * as OneDocument from "../../account/OneDocument.ts"
import * as Opening from "../../account/Opening.ts"
import { ExitError, notDone } from "../../output/ExitError.ts"
import { print } from "./GatewayCall.ts"

const submit = (name: string, kind: FiscalDocument.DocumentKind, what: string) =>
  describedCommand(
    name,
    `Submit ${what} to a test device: one document, unchecked, through the store; import is for documents that count`,
    {
      ...accountFlags,
      file: Argument.File("file", { mustExist: true }).pipe(Argument.withDescription("the request body as JSON"))
    },
    Effect.fnUntraced(function* (given) {
      const fs = yield* FileSystem.FileSystem
      const text = yield* fs.readFileString(given.file)
      const document = WireCodec.decode(kind, text)
      if (Result.isFailure(document)) {
        const problem = withFieldNames(document.failure)
        return yield* notDone(`Nothing was sent. ${given.file} is no ${kind}: ${problem}`)
      }
      const { settings, store, witness } = yield* ConfigAccount.choose(given.config, given.account)
      yield* Effect.gen(function* () {
        const account = yield* Opening.openTest(settings, witness)
        const submission = yield* OneDocument.send(account, document.success, given.file)
        yield* answered(submission)
      }).pipe(Effect.provide(Engine.layer(store)))
    }, Effect.scoped)
  )

/** Field paths as the user writes them: `InvoiceLines.0.Quantity`. */
const withFieldNames = (failure: string): string =>
  failure
    .split("\n")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ")
    .replace(/Missing key at (\S+)/g, (_, path: string) => `${(path.match(/[^["\]]+/g) ?? []).join(".")} is not there`)

/**
 * Exit code 2 if the gateway declined, 3 if the document may have been sent, 1 if it certainly was
 * not.
 */
const answered = ({ hold, requestId, state, text }: Submission.Submission) => {
  if (requestId !== null) return print(Effect.succeed({ requestId }))
  const code = state === "Declined" ? 2 : state === "Unknown" ? 3 : 1
  return Effect.fail(new ExitError({ code, text: `${state}: ${hold?.text ?? text ?? "it was not sent"}` }))
}

export const submitInvoice = submit("submit-invoice", "invoice", "Invoice")
export const submitCreditNote = submit("submit-credit-note", "credit-note", "Credit Note")
