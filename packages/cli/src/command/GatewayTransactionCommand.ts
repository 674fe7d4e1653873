/** `connector gateway`: submissions, their status and their PDF (interface.md, Transactions). */
import type { DocumentKind } from "@fiscal-connector/core/document/FiscalDocument"
import { RequestId } from "@fiscal-connector/core/document/Identifiers"
import * as WireCodec from "@fiscal-connector/core/document/WireCodec"
import { Effect, FileSystem, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as Deed from "../account/Deed.ts"
import * as LiveGuard from "../account/LiveGuard.ts"
import { Quit } from "../Quit.ts"
import { answer, download, flags, out, print } from "./GatewayCall.ts"

const submit = (name: string, kind: DocumentKind, what: string) =>
  Command.make(
    name,
    {
      ...flags,
      live: Flag.Boolean("live").pipe(
        Flag.withDescription("send to a live device: what is fiscalised there is taxed"),
        Flag.withDefault(false)
      ),
      file: Argument.File("file", { mustExist: true }).pipe(Argument.withDescription("the request body as JSON"))
    },
    (given) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const text = yield* fs.readFileString(given.file)
        const document = WireCodec.decode(kind, text)
        if (Result.isFailure(document)) {
          const problem = document.failure.replace(/\s*\n\s*/g, " ")
          return yield* new Quit({ code: 1, text: `Nothing was sent. ${given.file} is no ${kind}: ${problem}` })
        }
        const account = yield* ConfigAccount.connect(given.config, given.account)
        yield* LiveGuard.check(account, given.live ? "live" : "not-given")
        yield* print(
          given,
          Effect.andThen(
            Deed.sent,
            Effect.map(account.gateway.submit(document.success), (requestId) => ({ requestId }))
          )
        )
      }).pipe(Effect.scoped)
  ).pipe(
    Command.withDescription(
      `Submit ${what}: one request, once, unchecked and without the store, for trying things out; import is for documents that count`
    )
  )

export const submitInvoice = submit("submit-invoice", "invoice", "Invoice")
export const submitCreditNote = submit("submit-credit-note", "credit-note", "Credit Note")

export const status = Command.make(
  "status",
  {
    ...flags,
    ids: Argument.String("request-id").pipe(
      Argument.withDescription("what a submission answered; one that the gateway does not know is left out"),
      Argument.withSchema(RequestId),
      Argument.atLeast(1)
    )
  },
  (given) =>
    answer(
      given,
      (gateway) => gateway.status(given.ids),
      (items) =>
        items.map((item) => {
          const said = item._tag === "Rejected" ? `${item.error} (${item.nature})` : ""
          const proof = item._tag === "Fiscalised" ? item : undefined
          return {
            requestId: item.requestId,
            outcome: item._tag,
            said,
            verificationCode: proof?.qrData?.verificationCode,
            fiscalInvoicePdf: proof?.fiscalInvoicePdf,
            qrCodeUrl: proof?.qrData?.qrCodeUrl
          }
        })
    )
).pipe(Command.withDescription("Check Status: what became of requests of the last seven days"))

export const downloadPdf = Command.make(
  "download-pdf",
  {
    ...flags,
    name: Argument.String("name").pipe(Argument.withDescription("FiscalInvoicePdf of a status")),
    out
  },
  (given) => download(given, (gateway) => gateway.downloadPdf(given.name))
).pipe(Command.withDescription("Download PDF: the fiscal PDF of a document"))
