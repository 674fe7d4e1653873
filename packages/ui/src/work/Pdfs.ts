import type { Gateway } from "@fiscal-connector/core/gateway"
import { ImportMemory } from "@fiscal-connector/core/host/import"
import { type KeptImport, PdfName } from "@fiscal-connector/core/host"
import { type Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { Effect, Scope, Stream } from "effect"
import * as Zip from "../report/Zip.ts"
import * as Texts from "../text/Texts.ts"
import type { Workplace } from "./Workplace.ts"

interface Fiscalised extends Pick<Submission.Submission, "account" | "kind" | "id"> {
  readonly number: string
  readonly file: string
}

const ofStore = Stream.unwrap(
  SubmissionStore.SubmissionStore.use((store) => Effect.succeed(store.stream({ states: ["Fiscalised"] })))
).pipe(
  Stream.flatMap((submission): Stream.Stream<Fiscalised> => {
    const file = submission.proof?.fiscalInvoicePdf ?? null
    return file === null ? Stream.empty : Stream.succeed({ ...submission, file })
  })
)

const ofImport = (kept: KeptImport.KeptImport) =>
  ImportMemory.pages(kept).pipe(
    Stream.flatMap(({ documents }) => Stream.fromIterable(documents)),
    Stream.flatMap(({ id, kind, number, proof }): Stream.Stream<Fiscalised> => {
      const file = proof?.fiscalInvoicePdf ?? null
      const { account } = kept.destination
      return file === null || id === null || kind === null
        ? Stream.empty
        : Stream.succeed({ account, kind, id, number, file })
    })
  )

/** Returns `several` if file names must include the account. */
const accountsOf = Effect.gen(function* () {
  const lanes = yield* SubmissionStore.SubmissionStore.use((store) => store.lanes())
  return new Set(lanes.flatMap(({ accounts }) => accounts)).size > 1 ? "several" : "one"
})

export const archive = (workplace: Workplace, kept: KeptImport.KeptImport | null) =>
  Effect.gen(function* () {
    const accounts = yield* accountsOf
    const scope = yield* Effect.scope
    const gateways = new Map<string, Pick<Gateway.GatewayOperations, "downloadPdf">>()
    const gatewayOf = Effect.fnUntraced(function* (account: string) {
      const known = gateways.get(account)
      if (known !== undefined) return known
      const { settings } = yield* workplace.account(account, undefined).pipe(Effect.provideService(Scope.Scope, scope))
      gateways.set(account, settings.gateway)
      return settings.gateway
    })
    const missing: Array<string> = []
    let isCutOff = false
    const files = (kept === null ? ofStore : ofImport(kept)).pipe(
      Stream.mapEffect((document) =>
        Effect.gen(function* () {
          const name = PdfName.nameOf(document, accounts)
          if (isCutOff) return void missing.push(`${name}: ${Texts.pdfs.notTried}`)
          const gateway = yield* gatewayOf(document.account)
          return { name, bytes: yield* gateway.downloadPdf(document.file) }
        }).pipe(
          Effect.catchTag(["GatewayError", "WorkplaceRefused"], (error) =>
            Effect.sync(() => {
              // a missing PDF affects one document; an unreachable gateway also affects the rest
              if (error._tag === "GatewayError" && error.reason._tag !== "NotFound") isCutOff = true
              missing.push(`${document.number}: ${error.message}`)
            })
          )
        )
      ),
      Stream.flatMap((file) => (file === undefined ? Stream.empty : Stream.succeed(file)))
    )
    const notes = Stream.suspend(() =>
      missing.length === 0
        ? Stream.empty
        : Stream.succeed({
            name: Texts.pdfs.missingFile,
            bytes: new TextEncoder().encode(`${Texts.pdfs.missing}\r\n\r\n${missing.join("\r\n")}\r\n`)
          })
    )
    return Zip.write(Stream.concat(files, notes))
  })
