import { assert, it } from "../../core/test/It.ts"
import * as SqliteStore from "../../core/src/node/SqliteStore.ts"
import { SubmissionStore } from "../../core/src/submission/SubmissionStore.ts"
import { invoice } from "../../core/test/submission/PlannedDocuments.ts"
import { Effect, Layer } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { events, folderWith, gatewayFor } from "./RunningConnector.ts"
import { serving } from "./ServingConnector.ts"

const tell = `let text = ""
process.stdin.on("data", (chunk) => (text += chunk))
process.stdin.on("end", () => require("fs").appendFileSync("told", text))
`

it.live("connector serve runs the alert command of the configuration once when an operator must look", function* () {
  const folder = yield* folderWith()
  yield* gatewayFor(folder)
  const file = join(folder, "account.json")
  const configuration = JSON.parse(readFileSync(file, "utf8")) as object
  writeFileSync(join(folder, "tell.cjs"), tell)
  const alert = { command: [process.execPath, "tell.cjs"] }
  writeFileSync(file, JSON.stringify({ ...configuration, alert }))
  yield* SubmissionStore.use((store) => store.plan([invoice("i1", { account: "main", held: "to be looked at" })])).pipe(
    Effect.provide(Layer.fresh(SqliteStore.layer({ filename: join(folder, "fiscal-connector.db") })))
  )
  const told = join(folder, "told")
  for (const _ of ["first", "again"]) {
    yield* Effect.scoped(
      Effect.andThen(
        serving(folder),
        Effect.repeat(
          Effect.delay(
            Effect.sync(() => existsSync(told) && readFileSync(told, "utf8") !== ""),
            "100 millis"
          ),
          {
            until: (isTold) => isTold,
            times: 200
          }
        )
      )
    )
  }
  const concerned = events(readFileSync(told, "utf8"))
  assert.deepStrictEqual(
    concerned.map(({ concerns, event, health }) => [event, health, concerns]),
    [
      [
        "health-changed",
        "look",
        [{ code: "HELD", cause: "operator", account: "main", lane: "test/1001", text: "1 Held (operator)" }]
      ]
    ]
  )
})
