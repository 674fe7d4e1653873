import * as Effect from "effect/Effect"
import * as SourceAnswers from "./SourceAnswers.ts"
import { recordsIn, served } from "./SourceServer.ts"
import { idFields, type SourceFields, type SourceList, SourceWorld } from "./SourceWorld.ts"

/** Lists of the documents in a file. */
export const lists = Object.keys(idFields) as ReadonlyArray<SourceList>

/** Serves the lists of the file at the port, or at a free port if the port is taken. */
export const start = (given: Readonly<Record<string, unknown>>, port: number) => {
  const world = new SourceWorld()
  // the records look changed an hour ago, one second apart
  let at = world.now - 3_600_000
  for (const list of lists)
    for (const fields of recordsIn<SourceFields>(given[list])) world.put(list, fields, { at: (at += 1000) })
  return Effect.map(
    served((question) => SourceAnswers.answer(world, question), port),
    (url) => ({
      url,
      entry: {
        tenant: world.tenant().id,
        url,
        tokenUrl: `${url}/connect/token`,
        authorizeUrl: `${url}/identity/connect/authorize`,
        clientId: world.config.clientId,
        tokenFile: "books.tokens.json",
        options: { tin: "TaxNumber", productCode: "item-code", paymentMethod: "paying-account" }
      },
      setup: [`echo '{"refreshToken": "${world.config.refreshToken}"}' > books.tokens.json`],
      controls: {
        "A change of a document": `curl ${url}/_control/Invoices --json '{"InvoiceID": "…", "Status": "VOIDED"}'`,
        "A fault": `curl ${url}/_control/faults --json '{"kind": "html", "times": 1}'`
      }
    })
  )
}
