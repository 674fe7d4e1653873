import * as Effect from "effect/Effect"
import * as OdooAnswers from "./OdooAnswers.ts"
import { type OdooFields, OdooWorld } from "./OdooWorld.ts"
import { recordsIn, served } from "./SourceServer.ts"

/** Models of the documents in a file. */
export const lists = ["account.move"]

/** Serves the models of the file at the port, or at a free port if the port is taken. */
export const start = (models: Readonly<Record<string, unknown>>, port: number) => {
  const world = new OdooWorld()
  let at = world.now - 3_600_000
  for (const model of Object.keys(models))
    for (const fields of recordsIn<OdooFields>(models[model])) world.put(model, fields, (at += 1000))
  return Effect.map(
    served((question) => OdooAnswers.answer(world, question), port),
    (url) => ({
      url,
      entry: {
        tenant: "1",
        url,
        secretFile: "books.key",
        options: { vatNumber: "vat", productCode: "default-code", amounts: "exclusive" }
      },
      setup: [`(umask 077; echo ${world.apiKey} > books.key)`],
      controls: {}
    })
  )
}
