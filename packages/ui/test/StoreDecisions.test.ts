/**
 * Decisions about the store and the device on the page: the offers of attention with their
 * consequences, the required reason, and the refusals.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { shop, submits } from "./WaitingShop.ts"

describe("the page", () => {
  it.live(
    "accepts an older copy of the store with its consequence and a reason, and holds the waiting documents",
    function* () {
      const { page, putBack, run, sandbox } = yield* shop()
      assert.include((yield* putBack).err, "older copy")
      const visitor = yield* page()
      yield* Effect.promise(async () => {
        assert.match((await visitor.get("/health")).body, /href="[^"]*\/accept-older"/)
        const shown = (await visitor.get("/accept-older")).body
        assert.include(shown, "Only if there is no newer copy.")
        assert.include(shown, "Go on with this copy, and hold 2 documents")
        assert.include((await visitor.post("/accept-older", { because: " " })).body, "a decision needs a reason")
        const done = (await visitor.post("/accept-older", { because: "the disk <broke>" })).body
        assert.include(done, "The copy is the store now. 2 documents are held")
        assert.notInclude(done, 'action="/accept-older"')
        const record = (await visitor.get("/decisions")).body
        assert.include(record, "accept-older")
        assert.include(record, "the disk &lt;broke&gt;")
        // The lost store may have sent the document a moment ago: the refusal of a release states
        // the time of its acceptance.
        const release = { decision: "Resend", shown: String(Date.now()), because: "not in the portal" }
        const address = visitor.whereTo(await visitor.post("/documents/main/invoice/INV-2/decide", release))
        assert.match(
          (await visitor.get(address)).body,
          /Nothing was changed: [^<]* This decision is accepted from \S+ on\./
        )
        // The item is removed: a repeated action settles nothing.
        assert.notInclude((await visitor.get("/health")).body, "/accept-older")
        assert.include(
          (await visitor.post("/accept-older", { because: "again" })).body,
          "Nothing is listed that this would settle."
        )
        assert.notInclude((await visitor.get("/decisions")).body, "again<")
      })
      const before = (yield* sandbox.control.accepted).length
      yield* run("resume")
      assert.strictEqual((yield* sandbox.control.accepted).length, before)
    }
  )

  it.live("moves an account to the replacement device after all outcomes are known", function* () {
    const other = "other-key"
    const { page } = yield* shop({
      accounts: [{ key: other, device: 2002 }],
      devices: [{ deviceId: 2002 }]
    })
    const visitor = yield* page({ FISCAL_CONNECTOR_MAIN_API_KEY: other })
    yield* Effect.promise(async () => {
      const shown = (await visitor.get("/repin?account=main")).body
      assert.match(shown, /Device so far<\/dt>\s*<dd>test\/1001/)
      assert.match(shown, /Device that the gateway names now<\/dt>\s*<dd>test\/2002/)
      assert.include(shown, "2 documents that wait to be sent go to the new device")
      const move = (fields: Readonly<Record<string, string>>) =>
        visitor.post("/repin", { account: "main", device: "test/2002", because: "the old one broke", ...fields })
      assert.include((await move({ because: "" })).body, "a decision needs a reason")
      // Another device than the one shown.
      assert.include((await move({ device: "test/3003" })).body, "It was changed meanwhile, perhaps in another tab")
      assert.include((await move({})).body, "Moved, with 2 documents; 0 with another receipt date")
      const after = (await visitor.get("/repin?account=main")).body
      assert.include(after, "The gateway names the device that the store knows.")
      assert.include((await visitor.get("/decisions")).body, "the old one broke")
      assert.strictEqual((await visitor.get("/repin?account=other")).status, 404)
      const moved = (await visitor.get("/documents/main/invoice/INV-2")).body
      assert.include(moved, "moved from device test/1001 to test/2002: the old one broke")
    })
  })

  it.live("takes a device with another serial number under the same number", function* () {
    const { page } = yield* shop()
    const visitor = yield* page()
    const database = new DatabaseSync(join(visitor.page.folder, "fiscal-connector.db"))
    database.prepare("update fiscal_account set serial = 'OLD-1'").run()
    database.close()
    yield* Effect.promise(async () => {
      const shown = (await visitor.get("/repin?account=main")).body
      assert.match(shown, /Device so far<\/dt>\s*<dd>test\/1001 \(OLD-1\)/)
      const now = /name="device"\s+value="(test\/1001 \(\S+\))"/.exec(shown)?.[1] ?? ""
      const fields = { account: "main", device: now, because: "the old one broke" }
      assert.include((await visitor.post("/repin", fields)).body, "Moved, with 0 documents")
      assert.include(
        (await visitor.get("/repin?account=main")).body,
        "The gateway names the device that the store knows."
      )
    })
  })

  it.live("refuses to move an account while an outcome is unknown, and names the document", function* () {
    const other = "other-key"
    const { page, resumed, sandbox } = yield* shop({
      accounts: [{ key: other, device: 2002 }],
      devices: [{ deviceId: 2002 }]
    })
    yield* sandbox.control.addFault({ kind: "drop", stage: "before", times: 1, ...submits })
    yield* resumed
    const visitor = yield* page({ FISCAL_CONNECTOR_MAIN_API_KEY: other })
    yield* Effect.promise(async () => {
      const fields = { account: "main", device: "test/2002", because: "the old one broke" }
      const refused = (await visitor.post("/repin", fields)).body
      assert.match(
        refused,
        /Nothing was changed: not all that was sent to device test\/1001 is settled: INV-2 is Unknown/
      )
    })
  })

  it.live("asks who uses a device before it takes a statement about other programs", function* () {
    const { page } = yield* shop()
    const visitor = yield* page()
    yield* Effect.promise(async () => {
      const shown = (await visitor.get("/other-programs?account=main")).body
      assert.include(shown, "Do other tills or programs make receipts on the device?")
      assert.notInclude(shown, "checked")
      const state = (fields: Readonly<Record<string, string>>) =>
        visitor.post("/other-programs", { account: "main", stated: "others", because: "a second till", ...fields })
      assert.include((await state({ because: " " })).body, "a decision needs a reason")
      assert.notInclude((await state({ stated: "" })).body, "Recorded.")
      assert.include((await state({})).body, "Recorded.")
      assert.include((await visitor.get("/decisions")).body, "a second till")
      assert.strictEqual((await visitor.get("/other-programs?account=other")).status, 404)
    })
  })
})
