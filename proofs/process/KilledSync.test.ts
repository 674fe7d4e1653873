import { assert, describe, it } from "../../packages/core/test/It.ts"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { connectorProcess, lines, type SignaledProcess } from "../../packages/cli/test/RunningConnector.ts"
import { syncing } from "../../packages/cli/test/SyncedSource.ts"

// slow: a process is killed again and again

describe("connector sync in a separate process", () => {
  it.live(
    "loses nothing and sends nothing twice if it is killed during requests, also while it saves a token",
    function* () {
      const { folder, receipts, sandbox, sync, world } = yield* syncing({ settings: { pageSize: 100 } })
      const run = (started?: (child: SignaledProcess) => void, ...flags: ReadonlyArray<string>) =>
        connectorProcess(["sync", "books", "--config", "account.json", ...flags], {
          cwd: folder,
          ...(started && { started })
        })
      assert.strictEqual((yield* sync).code, 0)
      const questions = ["/Invoices", "/Contacts"]
      for (const about of [...questions, "/connect/token"]) {
        if (about === "/connect/token") world.endAccess()
        let kill = (): void => {}
        world.addFault({ kind: "before-answer", about, times: 1, does: () => kill() })
        const { code: ended } = yield* run((child) => {
          kill = child.kill
        })
        assert.isNull(ended, about)
        assert.deepStrictEqual(yield* receipts, [], about)
        world.clearFaults()
      }
      const { code, err, out } = yield* run()
      assert.strictEqual(code, 0, out + err)
      assert.strictEqual((yield* receipts).length, 16)
      assert.isTrue((yield* sandbox.control.accepted).every(({ receipts }) => receipts === 1))
      assert.include(readFileSync(join(folder, "tokens.json"), "utf8"), "refresh-")
      assert.deepStrictEqual(lines((yield* run(undefined, "--json")).out)[0]?.["mode"], "quiet")
    }
  )
})
