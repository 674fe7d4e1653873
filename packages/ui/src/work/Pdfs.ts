import type { Gateway } from "@fiscal-connector/core/gateway"
import { ImportMemory } from "@fiscal-connector/core/host/import"
import { type KeptImport, PdfName } from "@fiscal-connector/core/host"
import type { ImportedDocument } from "@fiscal-connector/core/session"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Effect, Scope, Stream } from "effect"
import * as Zip from "../report/Zip.ts"
import * as Texts from "../text/Texts.ts"
import type { Workplace } from "./Workplace.ts"

type Found = Pick<ImportedDocument.ImportedDocument, "id" | "kind" | "number" | "proof"> & { readonly account: string }

const ofStore = Stream.unwrap(
  SubmissionStore.SubmissionStore.use((store) => Effect.succeed(store.stream({ states: ["Fiscalised"] })))
)

const ofImport = (kept: KeptImport.KeptImport) =>
  Stream.flatMap(ImportMemory.pages(kept), ({ documents }) =>
    Stream.fromIterable(documents.map((one): Found => ({ ...one, account: kept.destination.account })))
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
      const { settings } = yield* Scope.provide(workplace.account(account, undefined), scope)
      gateways.set(account, settings.gateway)
      return settings.gateway
    })
    const missing: Array<string> = []
    let isCutOff = false
    const files = (kept === null ? ofStore : ofImport(kept)).pipe(
      Stream.mapEffect(({ account, id, kind, number, proof }) =>
        Effect.gen(function* () {
          const file = proof?.fiscalInvoicePdf ?? null
          if (file === null || id === null || kind === null) return
          const name = PdfName.nameOf({ account, id, kind, number }, accounts)
          if (isCutOff) return void missing.push(`${name}: ${Texts.document.notTried}`)
          const gateway = yield* gatewayOf(account)
          return { name, bytes: yield* gateway.downloadPdf(file) }
        }).pipe(
          Effect.catchTag(["GatewayError", "WorkplaceRefused"], (error) =>
            Effect.sync(() => {
              // a missing PDF affects one document; an unreachable gateway also affects the rest
              if (error._tag === "GatewayError" && error.reason._tag !== "NotFound") isCutOff = true
              missing.push(`${number}: ${error.message}`)
            })
          )
        )
      ),
      Stream.filter((file) => file !== undefined)
    )
    const notes = Stream.suspend(() =>
      missing.length === 0
        ? Stream.empty
        : Stream.succeed({
            name: Texts.document.notFetchedFile,
            bytes: new TextEncoder().encode(`${Texts.document.notFetched}\r\n\r\n${missing.join("\r\n")}\r\n`)
          })
    )
    return Zip.write(Stream.concat(files, notes))
  })
