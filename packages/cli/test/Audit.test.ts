/**
 * Decisions of operators are recorded: who, when, what and why; a change of the record is detected.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { acts } from "../../core/src/submission/OperatorRecord.ts"
import { DatabaseSync } from "node:sqlite"
import { userInfo } from "node:os"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const config = ["--config", "account.json"]

describe("connector audit", () => {
  it.live(
    "lists each decision with operator, subject and reason, and shows rows that were changed or removed",
    function* () {
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
      // A reason erased with the document is not a change.
      store.exec("update fiscal_decision set because = null where id = 1")
      assert.strictEqual((yield* verified()).code, 0)
      store.exec("update fiscal_decision set who = 'nobody' where id = 2")
      const changed = yield* verified()
      assert.deepStrictEqual([changed.code, /entry 2 was changed/.test(changed.err)], [1, true])
      store.exec("update fiscal_decision set who = 'Ann Bookkeeper' where id = 2")
      store.exec("delete from fiscal_decision where id = 2")
      assert.match((yield* verified()).err, /an entry is missing before 3/)
      store.close()
    }
  )

  it.live("lists every kind of decision under the given operator's name", function* () {
    const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
    const { control } = yield* gatewayFor(cwd, { device: { isLive: true } })
    const ann = (...args: ReadonlyArray<string>) => connector([...args, ...config, "--as", "Ann"], { cwd })
    const because = ["--because", "it is so"]
    yield* control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
    const importing = ["import", "csv", "historical-invoices.csv", "--live"]
    const asked = yield* ann(...importing)
    const [, code = ""] = /--first-use ([A-Z0-9-]+)/.exec(asked.err) ?? []
    assert.strictEqual((yield* ann(...importing, "--first-use", code)).code, 3)
    const store = new DatabaseSync(join(cwd, "fiscal-connector.db"))
    store.exec("update fiscal_import set standing = 'incomplete'")
    store.exec(
      "insert into fiscal_notice values ('counters', 'live/1001', 'DAY_DIFFERS', '4', 'a receipt too many', 1, 1)"
    )
    store.exec(
      "insert into fiscal_source (source, tenant, account, go_live, quiet_after) values ('books', 'company', 'main', '2026-01-01', 1)"
    )
    store.exec(
      "insert into fiscal_refused values ('main', 'invoice X-1', 'csv', 'invoice', 'X-1', null, '', 'ROW_CELL_MISSING', 1, 1, null, null, null)"
    )
    store.close()
    const commands = [
      ["withdraw", "INV-0001", ...because],
      ["store", "accept-older", ...because],
      ["resolve", "INV-0002", "--resend", "--although-recent", ...because],
      ["account", "accept-unknown", "taxes", ...because],
      ["account", "trust-origin", "main", ...because],
      ["account", "repin", "main", ...because],
      ["z-reports", "acknowledge", "4", ...because],
      ["device", "others", ...because],
      ["imports", "cancel", "1", ...because],
      ["source", "forget", "books", ...because],
      ["imports", "dismiss", "X-1", "--account", "main", ...because],
      ["withdraw", "-", "--confirm", "44", "--although-recent", ...because],
      ["withdraw", "INV-0002", "--although-recent", ...because],
      ["forget", "--before", "2030-01-01", "--do-it", ...because]
    ]
    for (const command of commands) {
      // Held documents are decided about by their numbers.
      const { out: held } = yield* connector(["list", "--state", "Held", "--json", ...config], { cwd })
      const input = lines(held).map(({ number }) => `${String(number)}\n`)
      const { code, err } = yield* connector([...command, ...config, "--as", "Ann"], { cwd, input: input.join("") })
      assert.strictEqual(code, 0, `${command.join(" ")}: ${err}`)
    }
    const reported = yield* ann("reconcile", "--from", "2026-01-01", "--to", "2099-12-31", "--report", "account.csv")
    assert.include(reported.err, "The report: account.csv")
    const { out } = yield* connector(["audit", ...config, "--json"], { cwd })
    const entries = lines(out)
    // a credit needs a receipt: Credit.test.ts
    assert.deepStrictEqual(
      [...new Set(entries.map(({ act }) => String(act)))].toSorted(),
      acts.filter((act) => !act.startsWith("credit")).toSorted()
    )
    assert.deepStrictEqual([...new Set(entries.map(({ who }) => who))], ["Ann"])
    const unexplained = entries.filter(({ because }) => because === null).map(({ act }) => act)
    // Consents given by a flag, reports, and reasons erased with their documents.
    assert.isEmpty(unexplained.filter((act) => !/^(first-use|live|withdraw|resolve|report)$/.test(String(act))))
    assert.match((yield* connector(["audit", "verify", ...config], { cwd })).out, /decisions, none changed/)
  })
})
