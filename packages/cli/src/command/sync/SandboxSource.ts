/**
 * Runs an accounting system beside the sandbox, with the documents of a file, and describes how to
 * reach it.
 */
import { Effect, FileSystem } from "effect"
import { printable } from "../../output/Terminal.ts"
import { ExitError } from "../../output/ExitError.ts"

const lists = ["Contacts", "Invoices", "CreditNotes"] as const

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Reads the lists of the file. JSON numbers are safe here: the values are small and written back as
 * read.
 */
const listsIn = (file: string) =>
  Effect.flatMap(
    FileSystem.FileSystem.use((fs) => fs.readFileString(file)),
    (text) => Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => undefined })
  ).pipe(
    Effect.filterOrFail(isFields, () => undefined),
    Effect.mapError(
      () => new ExitError({ code: 1, text: `${printable(file)} is not Xero-shaped JSON with lists of records.` })
    )
  )

/** Default port: the gateway's port plus ten. */
const port = 4020

/** Starts the accounting system. It stops when the scope closes. */
export const start = Effect.fnUntraced(function* (file: string) {
  const SourceServer = yield* Effect.promise(() => import("@fiscal-connector/sandbox/source/SourceServer"))
  const given = yield* listsIn(file)
  const server = yield* SourceServer.make({}, { port }).pipe(
    Effect.catchTag("SandboxError", () => SourceServer.make()),
    Effect.mapError(({ message }) => new ExitError({ code: 1, text: message }))
  )
  // the records look changed an hour ago, one second apart
  let at = server.world.now - 3_600_000
  for (const list of lists) {
    const records: unknown = given[list]
    if (Array.isArray(records))
      for (const fields of records) if (isFields(fields)) server.world.put(list, fields, { at: (at += 1000) })
  }
  return server
})

/** Returns the configuration entry and the first tokens as text. */
export const howToReach = (
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
