/**
 * Runs an accounting system beside the sandbox, with the documents of a file, and describes how to
 * reach it.
 */
import { Effect, FileSystem, Predicate } from "effect"
import { printable } from "../../output/Terminal.ts"
import type * as SourceServerModule from "@fiscal-connector/sandbox/source/SourceServer"
import { ExitError } from "../../output/ExitError.ts"

const lists = ["Contacts", "Invoices", "CreditNotes"] as const

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the lists of the file. JSON numbers are safe here: the values are small and written back as
 * read.
 */
const listsIn = (file: string) =>
  Effect.flatMap(
    FileSystem.FileSystem.use((fs) => fs.readFileString(file)),
    (text) => Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => undefined })
  ).pipe(
    Effect.filterOrFail(Predicate.isReadonlyObject, () => undefined),
    Effect.mapError(
      () =>
        new ExitError({ code: 1, text: `${printable(file)} is not Xero- or Odoo-shaped JSON with lists of records.` })
    )
  )

/** Default port: the gateway's port plus ten. */
const port = 4020

/** An accounting system that listens. */
export interface SandboxSource {
  readonly kind: "xero-like" | "odoo-like"
  readonly url: string
}

/** Starts an Odoo-shaped system: the lists of the file are models. */
const odooLike = Effect.fnUntraced(function* (given: Fields) {
  const [SourceServer, OdooWorld, OdooAnswers] = yield* Effect.promise(() =>
    Promise.all([
      import("@fiscal-connector/sandbox/source/SourceServer"),
      import("@fiscal-connector/sandbox/source/OdooWorld"),
      import("@fiscal-connector/sandbox/source/OdooAnswers")
    ])
  )
  const world = new OdooWorld.OdooWorld({ apiKey: odooKey })
  let at = world.now - 3_600_000
  for (const [model, records] of Object.entries(given))
    if (Array.isArray(records))
      for (const fields of records as ReadonlyArray<unknown>)
        if (Predicate.isReadonlyObject(fields)) world.put(model, fields, (at += 1000))
  const answer = (question: Parameters<SourceServerModule.Answering>[0]) => OdooAnswers.answer(world, question)
  const url = yield* SourceServer.listening(answer, { port }).pipe(
    Effect.catchTag("SandboxError", () => SourceServer.listening(answer)),
    Effect.mapError(({ message }) => new ExitError({ code: 1, text: message }))
  )
  return { kind: "odoo-like", url } satisfies SandboxSource
})

/** Starts the accounting system. It stops when the scope closes. */
export const start = Effect.fnUntraced(function* (file: string) {
  const given = yield* listsIn(file)
  return Array.isArray(given["account.move"]) ? yield* odooLike(given) : yield* xeroLike(given)
})

/** Starts a Xero-shaped system. */
const xeroLike = Effect.fnUntraced(function* (given: Fields) {
  const SourceServer = yield* Effect.promise(() => import("@fiscal-connector/sandbox/source/SourceServer"))
  const server = yield* SourceServer.make({}, { port }).pipe(
    Effect.catchTag("SandboxError", () => SourceServer.make()),
    Effect.mapError(({ message }) => new ExitError({ code: 1, text: message }))
  )
  // the records look changed an hour ago, one second apart
  let at = server.world.now - 3_600_000
  for (const list of lists) {
    const records: unknown = given[list]
    if (Array.isArray(records))
      for (const fields of records)
        if (Predicate.isReadonlyObject(fields)) server.world.put(list, fields, { at: (at += 1000) })
  }
  return { kind: "xero-like", url: server.url } satisfies SandboxSource
})

/** The only API key of the Odoo-shaped system. */
const odooKey = "key-0"

/** Returns the configuration entry, the login and the first calls as text. */
export const howToReach = ({ kind, url }: SandboxSource, account: string): string =>
  kind === "odoo-like" ? howToReachOdoo(url, account) : howToReachXero(url, account)

const howToReachOdoo = (
  url: string,
  account: string
): string => `The accounting system listens at ${url}, with the API key ${odooKey}. To read it, add to sandbox.json:

  "sources": {
    "erp": {
      "kind": "odoo-like",
      "account": ${JSON.stringify(account)},
      "book": "YOUR.book.json",
      "tenant": "1",
      "goLive": "2025-01-01",
      "consent": "send",
      "url": ${JSON.stringify(url)},
      "secretFile": "erp.key",
      "options": { "vatNumber": "vat", "productCode": "default-code", "amounts": "exclusive" }
    }
  }

Its key, and the first run, which is a plan:

(umask 077; echo ${odooKey} > erp.key)
connector sync erp --config sandbox.json`

const howToReachXero = (
  url: string,
  account: string
): string => `The accounting system listens at ${url}. To read it, add to sandbox.json:

  "sources": {
    "books": {
      "kind": "xero-like",
      "account": ${JSON.stringify(account)},
      "book": "YOUR.book.json",
      "tenant": "tenant-1",
      "goLive": "2025-01-01",
      "consent": "send",
      "url": ${JSON.stringify(url)},
      "tokenUrl": ${JSON.stringify(`${url}/connect/token`)},
      "clientId": "client",
      "tokenFile": "books.tokens.json",
      "options": { "tin": "TaxNumber", "productCode": "item-code", "paymentMethod": "paying-account" }
    }
  }

Its login, and the first run, which is a plan:

echo '{"refreshToken": "refresh-0"}' > books.tokens.json
connector sync books --config sandbox.json

A change of a document  curl ${url}/_control/Invoices --json '{"InvoiceID": "…", "Status": "VOIDED"}'
A fault                 curl ${url}/_control/faults --json '{"kind": "html", "times": 1}'`
