/**
 * Proves that the Xero-shaped system of the tests answers as the vendor's own client expects. The
 * client has fixed hosts, so its requests are redirected on their way (tools/accounting).
 */
import * as SourceServer from "@fiscal-connector/sandbox/source/SourceServer"
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { enterExample, exported } from "../../packages/cli/test/SyncedSource.ts"
import { redirect, XeroClient } from "../../tools/accounting/index.ts"

const order = "UpdatedDateUTC"
const began = Date.parse("2026-03-01T08:00:00Z")

/** Starts the system with the example, a second between two records, and logs the client in. */
const started = Effect.gen(function* () {
  const { url, world } = yield* SourceServer.make({ clientSecret: "a secret", now: () => began + 3_600_000 })
  enterExample(world, began)
  redirect(url)
  const client = new XeroClient()
  const logIn = (token: string) => Effect.promise(() => client.refreshWithRefreshToken("client", "a secret", token))
  return { client, logIn, world }
})

const statusOf = (asked: () => Promise<unknown>) =>
  Effect.promise(async () => {
    try {
      await asked()
      return 200
    } catch (error) {
      const text = typeof error === "string" ? error : JSON.stringify(error)
      return Number(/"status(?:Code)?":(\d+)/.exec(text)?.[1])
    }
  })

describe("the Xero-shaped system of the tests", () => {
  it.live(
    "satisfies the vendor's own client: login, pages, changes, single records, contacts and limits",
    function* () {
      const { client, logIn, world } = yield* started
      const first = yield* logIn(world.config.refreshToken)
      assert.isString(first.refresh_token)
      const [tenant] = (yield* Effect.promise(() => client.updateTenants(false))) as ReadonlyArray<{
        readonly tenantId: string
      }>
      assert.strictEqual(tenant?.tenantId, "tenant-1")
      const { accountingApi: api } = client
      const none = undefined
      const invoices = (since: Date | undefined, page: number, ids?: Array<string>) =>
        Effect.promise(() =>
          api.getInvoices("tenant-1", since, none, order, ids, none, none, none, page, none, none, none, none, 5)
        )
      const read: Array<string> = []
      for (let page = 1; ; page++) {
        const { body } = yield* invoices(none, page)
        for (const one of body.invoices ?? []) {
          read.push(String(one.invoiceID))
          const modified = world.tenant().lists.Invoices.get(String(one.invoiceID))?.modified
          assert.strictEqual(one.updatedDateUTC?.getTime(), modified)
          assert.isNotEmpty(one.lineItems)
          assert.isNumber(one.total)
        }
        if (page >= (body.pagination?.pageCount ?? 0)) break
      }
      const example = exported()
      const ids = example.Invoices.map((fields) => String(fields["InvoiceID"]))
      assert.deepStrictEqual(read, ids)

      const last = [...world.tenant().lists.Invoices.values()].at(-3)!
      const { body: changed } = yield* invoices(new Date(last.modified), 1)
      assert.deepStrictEqual(
        changed.invoices?.map(({ invoiceID }) => invoiceID),
        ids.slice(-2)
      )
      const { body: single } = yield* invoices(none, 1, [ids[2]!, ids[0]!])
      assert.deepStrictEqual(
        single.invoices?.map(({ invoiceID }) => invoiceID),
        [ids[0], ids[2]]
      )

      const { body: notes } = yield* Effect.promise(() => api.getCreditNotes("tenant-1", none, none, order, 1))
      assert.strictEqual(notes.creditNotes?.length, example.CreditNotes.length)
      const contact = String(example.Contacts[0]?.["ContactID"])
      const { body: contacts } = yield* Effect.promise(() =>
        api.getContacts("tenant-1", none, none, none, [contact], 1, true)
      )
      assert.deepStrictEqual(
        contacts.contacts?.map(({ contactID }) => contactID),
        [contact]
      )

      const asked = () => api.getInvoices("tenant-1")
      world.endAccess()
      assert.strictEqual(yield* statusOf(asked), 401)
      yield* logIn(first.refresh_token!)
      assert.strictEqual(yield* statusOf(asked), 200)
      assert.strictEqual(yield* statusOf(() => api.getInvoices("tenant-2")), 403)
      world.addFault({ kind: "limit-minute", retryAfter: 7 })
      assert.strictEqual(yield* statusOf(asked), 429)
    }
  )
})
