/** What operators decided is recorded: who, when, what and why; and a change of the record is found. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import { userInfo } from "node:os"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const config = ["--config", "account.json"]

describe("the record of decisions", () => {
  it.live("has each decision with who, what and why, and shows when one was changed or taken out", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
      const { control } = yield* gatewayFor(cwd)
      yield* control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
      yield* connector(["import", "csv", "historical-invoices.csv", ...config], { cwd })
      const withdrawing = (number: string, ...more: ReadonlyArray<string>) =>
        connector(["withdraw", number, ...config, "--because", `issued anew ${number}`, ...more], { cwd })
      yield* withdrawing("INV-0001")
      yield* withdrawing("INV-0002", "--as", "Ann Bookkeeper")
      yield* withdrawing("INV-0003")
      const { out } = yield* connector(["audit", ...config, "--json"], { cwd })
      assert.deepStrictEqual(
        lines(out).map(({ act, because, subject, what, who }) => [act, subject, what, who, because]),
        [
          ["INV-0001", userInfo().username],
          ["INV-0002", "Ann Bookkeeper"],
          ["INV-0003", userInfo().username]
        ].map(([number, who]) => [
          "withdraw",
          `invoice ${number}`,
          "Withdrawn: Planned → Withdrawn",
          who,
          `issued anew ${number}`
        ])
      )
      const verified = () => connector(["audit", "verify", ...config], { cwd })
      assert.match((yield* verified()).out, /^3 decisions, none changed/)
      const store = new DatabaseSync(join(cwd, "fiscal-connector.db"))
      // a reason that was forgotten with its document is no change
      store.exec("update fiscal_decision set because = null where id = 1")
      assert.strictEqual((yield* verified()).code, 0)
      store.exec("update fiscal_decision set who = 'nobody' where id = 2")
      const changed = yield* verified()
      assert.deepStrictEqual([changed.code, /entry 2 was changed/.test(changed.err)], [1, true])
      store.exec("update fiscal_decision set who = 'Ann Bookkeeper' where id = 2")
      store.exec("delete from fiscal_decision where id = 2")
      assert.match((yield* verified()).err, /an entry is missing before 3/)
      store.close()
    }).pipe(Effect.scoped)
  )
})
