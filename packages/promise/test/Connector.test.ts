import { assert, describe, it } from "@effect/vitest"
import {
  bookWith,
  connect,
  type ConnectOptions,
  type DocumentInput,
  type FiscalConnector,
  FiscalConnectorError,
  openStore
} from "@fiscal-connector/promise"
import { Effect, type Scope } from "effect"
import { copyFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo, connect as connectTo, type Socket } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { book, failure, gateway, type Given, invoice, receipts } from "./Gateway.ts"

const test = (use: (given: Given, options: ConnectOptions) => Promise<void>) => () =>
  Effect.gen(function* () {
    const given = yield* gateway
    const { config, store } = given
    yield* Effect.promise(() => use(given, { account: "shop", config, book, store }))
  }) as Effect.Effect<void, never, Scope.Scope>

const every = async <A>(elements: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const element of elements) found.push(element)
  return found
}

// slow: documents are sent, and their outcomes awaited as long as the gateway takes
describe("documents passed as plain objects", () => {
  it.live(
    "wait behind a document with a lost answer, state the reason, and continue after an operator settles it",
    test(async (given, options) => {
      await Effect.runPromise(
        given.sandbox.control.addFault({ kind: "drop", stage: "after", operations: ["submitInvoice"], times: 1 })
      )
      const documents = [invoice("S-1"), invoice("S-2")]
      await using fiscal = await connect(options)
      const [lost, waiting] = (await fiscal.sync(documents)).results
      assert.deepStrictEqual([lost?.status, waiting?.status], ["unknown", "planned"])
      assert.match(waiting?.because ?? "", /S-1/)
      // The last request may still arrive, and only the caller can decide otherwise.
      const early = await failure(fiscal.resolve(lost!, "not-processed", "the portal does not have it"))
      assert.match(early.message, /may still reach the gateway until .*accepted from/s)
      // The gateway processes after its delay.
      const issued = Effect.repeat(Effect.delay(given.sandbox.control.receipts, "20 millis"), {
        until: ({ length }) => length === 1
      })
      const [receipt] = await Effect.runPromise(issued)
      const { VerificationCode: verificationCode } = receipt!.qrData
      const said = await fiscal.resolve(lost!, { fiscalised: { verificationCode } }, "seen at the gateway")
      assert.deepStrictEqual([said.status, said.verificationCode], ["fiscalised", verificationCode])
      const results = (await fiscal.sync(documents)).results
      assert.deepStrictEqual(
        results.map(({ status }) => status),
        ["fiscalised", "fiscalised"]
      )
      assert.strictEqual((await receipts(given)).length, 2)
    })
  )

  it.live(
    "are fiscalised once, even if passed again, and every run returns their codes",
    test(async (given, options) => {
      const documents = [
        invoice("S-1"),
        invoice("S-2"),
        {
          ...invoice("CN-1", { totals: { total: "9.99" } }),
          kind: "credit-note",
          original: { id: "S-1" },
          reason: "Returned",
          lines: [
            {
              description: "Solar lamp",
              quantity: "1",
              unitPrice: "9.99",
              taxCode: "Standard",
              productCode: "85131000"
            }
          ]
        } as const
      ]
      const runs = [0, 1, 2].map(() => async () => {
        await using fiscal = await connect(options)
        return (await fiscal.sync(documents)).results
      })
      const results = []
      for (const run of runs) results.push(await run())
      assert.deepStrictEqual(
        results[0]!.map(({ number, problems, status, total }) => [number, status, total, problems.length]),
        [
          ["S-1", "fiscalised", "19.98", 0],
          ["S-2", "fiscalised", "19.98", 0],
          ["CN-1", "fiscalised", "9.99", 0]
        ]
      )
      for (const result of results[0]!) {
        assert.match(result.verificationCode ?? "", /^[0-9A-F-]{8,}$/)
        assert.match(result.qrCodeUrl ?? "", /^https?:/)
      }
      const codes = results.map((run) => run.map(({ verificationCode }) => verificationCode))
      assert.deepStrictEqual(codes[1], codes[0])
      assert.deepStrictEqual(codes[2], codes[0])
      assert.strictEqual((await receipts(given)).length, 3)
      const left = async () => {
        await using fiscal = await connect(options)
        return fiscal.sync(documents)
      }
      assert.strictEqual((await failure(left())).code, "closed")
    })
  )

  it.live(
    "have ways to settle their problems: the device's taxes for an unknown code, and the invoice of a credit note",
    test(async (given, options) => {
      const lines = [{ ...invoice("S-1").lines[0]!, taxCode: "Normal" }]
      const note = { ...invoice("CN-1"), kind: "credit-note", reason: "Returned" } as const
      const documents = [{ ...invoice("S-1"), lines }, invoice("S-2"), note]
      const refused = async (using: ConnectOptions, more: { originals?: Record<string, string> } = {}) => {
        await using fiscal = await connect(using)
        await using plan = await fiscal.plan(documents, more)
        return (await every(plan.entries())).filter(({ status }) => status === "refused")
      }
      const [unmapped, unlinked] = await refused(options)
      const taxes = unmapped!.problems.flatMap(({ choices = [] }) => choices)
      assert.isAbove(taxes.length, 1)
      assert.isTrue(taxes.every(({ settles }) => settles === "book"))
      const meant = taxes.find(({ reading }) => reading?.startsWith("15.5 % ") === true)!
      assert.match(meant.reading!, /^15\.5 % .*\(device tax 515/)
      const [original] = unlinked!.problems.flatMap(({ choices = [] }) => choices)
      if (original?.settles !== "originals") return assert.fail(`it settles ${original?.settles}`)
      assert.strictEqual(original.write, '{"originals":{"CN-1":"…"}}')

      const settled = await bookWith(book, [meant, original])
      assert.deepStrictEqual(settled.taxes, [{ ...book.taxes[0]!, from: ["Standard", "Normal"] }])
      assert.deepStrictEqual(book.taxes[0]!.from, ["Standard"], "the book that was given stays as it is")
      const text = await bookWith(`// ours\n${JSON.stringify(book)}`, [meant])
      assert.match(text, /^\/\/ ours\n.*"Standard",\s*"Normal"/s)
      assert.deepStrictEqual(
        await refused({ ...options, book: settled }, { originals: { [original.note]: "S-2" } }),
        []
      )
    })
  )

  it.live(
    "are refused one by one, with the path of each wrong value, and never with an exception",
    test(async (given, options) => {
      await using fiscal = await connect(options)
      const wrong = [
        { ...invoice("S-1"), lines: [{ description: "Lamp", quantity: 2, unitPrice: 9.99, taxCode: "Standard" }] },
        { ...invoice("S-2"), taxmode: "inclusive", date: "02/03/2026" },
        { ...invoice("S-3"), lines: [{ description: "Lamp", quantity: "two", unitPrice: "1", taxCode: "Luxury" }] },
        { ...invoice("S-4"), currency: undefined, totals: "19.98" },
        "S-5"
      ] as unknown as ReadonlyArray<DocumentInput>
      const results = (await fiscal.sync([...wrong, invoice("S-6")], { whenLate: "send-rest" })).results
      // a total that could not be computed is null, never "0.00"
      assert.deepStrictEqual(
        results.map(({ total }) => total),
        [null, null, null, null, null, "19.98"]
      )
      const found = results.map(({ number, problems, status }) => [
        number,
        status,
        problems.filter(({ code }) => code.startsWith("INPUT_")).map(({ code, path }) => `${code} ${path.join(".")}`)
      ])
      assert.deepStrictEqual(found, [
        ["S-1", "refused", ["INPUT_NUMBER lines.0.quantity", "INPUT_NUMBER lines.0.unitPrice"]],
        ["S-2", "refused", ["INPUT_DATE date", "INPUT_FIELD_UNKNOWN taxmode"]],
        ["S-3", "refused", ["INPUT_VALUE lines.0.quantity"]],
        ["S-4", "refused", ["INPUT_MISSING currency", "INPUT_VALUE totals"]],
        ["", "refused", ["INPUT_VALUE "]],
        ["S-6", "fiscalised", []]
      ])
      const [problem] = results[0]!.problems
      assert.match(problem!.docUrl, /docs\/errors\/README\.md#[a-z_0-9]+$/)
      assert.notStrictEqual(problem!.fix, "")
      await using plan = await fiscal.plan(wrong)
      assert.deepStrictEqual(
        plan.problems.map(({ code }) => code),
        ["INPUT_VALUE"]
      )
      assert.strictEqual((await receipts(given)).length, 1)
    })
  )

  it.live(
    "may come from a cursor that can be read only once",
    test(async (_, options) => {
      async function* rows() {
        yield invoice("S-1")
        yield { ...invoice("S-2"), reference: 7 } as unknown as DocumentInput
      }
      await using fiscal = await connect(options)
      const results = (await fiscal.sync(rows(), { whenLate: "send-rest" })).results
      assert.deepStrictEqual(
        results.map(({ problems, status }) => [status, problems.map(({ path }) => path.join("."))]),
        [
          ["fiscalised", []],
          ["refused", ["reference"]]
        ]
      )
    })
  )

  it.live(
    "come from a cursor that fails: nothing is sent, what was thrown is rethrown as it is, and no log quotes it",
    test(async (given, options) => {
      const after = async function* (thrown: unknown) {
        yield invoice("S-1")
        throw thrown
      }
      const unopened = (thrown: unknown): Iterable<DocumentInput> => ({
        [Symbol.iterator]: () => {
          throw thrown
        }
      })
      const logged: Array<unknown> = []
      const log = (fields: object, message: string) => void logged.push(fields, message)
      const logger = { debug: log, info: log, warn: log, error: log }
      await using fiscal = await connect({ ...options, logger })
      for (const thrown of [new TypeError("Baobab Traders"), "Baobab Traders", undefined])
        for (const call of [
          () => fiscal.sync(after(thrown)),
          () => fiscal.sync(unopened(thrown)),
          () => fiscal.plan(after(thrown)),
          () => fiscal.registerOriginals(after(thrown))
        ])
          assert.deepStrictEqual(await Promise.allSettled([call()]), [{ status: "rejected", reason: thrown }])
      assert.notInclude(JSON.stringify(logged), "Baobab")
      assert.deepStrictEqual(await receipts(given), [])
    })
  )

  it.live(
    "are refused by one sentence if they are another value",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      const messages = []
      for (const given of [Promise.resolve([]), 7, "S-1", null, undefined, {}, () => []]) {
        const error = await failure(fiscal.sync(given as unknown as Iterable<DocumentInput>))
        assert.strictEqual(error.code, "config_invalid")
        messages.push(error.message.replace("documents: expected a list of documents, or { adapter, files }, not ", ""))
      }
      assert.deepStrictEqual(messages, [
        "a promise: await it first",
        "a number",
        "a string",
        "null",
        "nothing",
        "another object",
        "a function"
      ])
    })
  )

  it.live(
    "need an id and a number that are not blank; without an id none is taken for a repeat of another",
    test(async (given, options) => {
      await using fiscal = await connect(options)
      const { ok, results } = await fiscal.sync([
        invoice("S-1", { id: "" }),
        invoice("S-2", { number: "  " }),
        invoice("S-3", { id: undefined as unknown as string }),
        invoice("S-3", { id: undefined as unknown as string }),
        invoice("", { id: "" }),
        invoice("", { id: "" }),
        { kind: "cancelled", of: "invoice", id: " ", number: "S-9" }
      ])
      assert.isFalse(ok)
      assert.deepStrictEqual(
        results.map(({ problems, status }) => [
          status,
          ...problems.map(({ code, path }) => `${code} ${path.join(".")}`)
        ]),
        [
          ["refused", "INPUT_MISSING id"],
          ["refused", "INPUT_MISSING number"],
          ["refused", "INPUT_MISSING id", "DOCUMENT_TWICE number"],
          ["refused", "INPUT_MISSING id", "DOCUMENT_TWICE number"],
          ["refused", "INPUT_MISSING id", "INPUT_MISSING number"],
          ["refused", "INPUT_MISSING id", "INPUT_MISSING number"],
          ["refused", "INPUT_MISSING id"]
        ]
      )
      assert.deepStrictEqual(await receipts(given), [])
    })
  )
})

describe("a plan", () => {
  it.live(
    "shows what would be sent, and sends nothing; refused documents that would become late stop it",
    test(async (given, options) => {
      await using fiscal = await connect(options)
      const documents = [invoice("S-1", { currency: "XYZ" }), invoice("S-2", { date: "2026-03-03" })]
      await using plan = await fiscal.plan(documents)
      assert.deepStrictEqual(plan.counts, { refused: 1, planned: 1 })
      assert.deepStrictEqual(plan.totals, [
        { status: "planned", kind: "invoice", currency: "USD", documents: 1, total: "19.98" }
      ])
      assert.deepStrictEqual(await plan.taxTotals(), [
        {
          status: "planned",
          kind: "invoice",
          currency: "USD",
          taxCode: "VAT155",
          percent: "15.5",
          documents: 1,
          net: "17.30",
          tax: "2.68"
        }
      ])
      assert.deepStrictEqual(plan.wouldBecomeLate, { count: 1, first: ["S-1"] })
      const entries = await every(plan.entries())
      assert.deepStrictEqual(
        entries.map(({ number, status }) => [number, status]),
        [
          ["S-1", "refused"],
          ["S-2", "planned"]
        ]
      )
      const late = await failure(fiscal.submit(plan, { whenLate: "stop" }))
      assert.strictEqual(late.code, "would_become_late")
      assert.match(late.message, /S-1 would become late.*whenLate: "send-rest"$/)
      assert.isNotEmpty(late.problems)
      for (const { document, fix } of late.problems)
        assert.deepStrictEqual([document?.number, fix === ""], ["S-1", false])
      assert.strictEqual((await receipts(given)).length, 0)
      assert.deepStrictEqual(await fiscal.submit(plan, { whenLate: "send-rest" }), { planned: 1, conflicts: [] })
      const running = fiscal.run()
      const arrived = await every(plan.entries({ during: running }))
      assert.deepStrictEqual(
        arrived.map(({ number, status }) => [number, status]),
        [
          ["S-1", "refused"],
          ["S-2", "fiscalised"]
        ]
      )
      const report = await running
      assert.deepStrictEqual([report.open, report.lanes.map(({ state }) => state)], [0, ["drained"]])
      assert.strictEqual((await receipts(given)).length, 1)
      const ended = new FiscalConnectorError("closed", "the run ended")
      assert.strictEqual(await failure(every(plan.entries({ during: Promise.reject(ended) }))), ended)
      await plan[Symbol.asyncDispose]()
      assert.strictEqual((await failure(fiscal.submit(plan))).code, "closed")
    })
  )
})

describe("refused documents that become late", () => {
  const refused = (count: number) =>
    Array.from({ length: count }, (_, index) => invoice(`R-${index}`, { currency: "XYZ", date: "2026-03-01" }))
  const sent = (count: number) =>
    Array.from({ length: count }, (_, index) => invoice(`S-${index}`, { date: "2026-03-03" }))

  it.live(
    "do not stop the others while they are few",
    test(async (given, options) => {
      await using fiscal = await connect(options)
      assert.isFalse((await fiscal.sync([...refused(9), ...sent(1)])).ok)
      assert.lengthOf(await receipts(given), 1)
    })
  )

  it.live(
    "stop the others if a tenth of the plan, or more than 20 of one cause, become late",
    test(async (given, options) => {
      await using fiscal = await connect(options)
      const tenth = await failure(fiscal.sync([...refused(10), ...sent(89)]))
      assert.strictEqual(tenth.code, "would_become_late")
      assert.match(
        tenth.message,
        /10 at once are more than a run makes late without a decision.*CURRENCY_UNMAPPED \(.*R-4 at .* and 5 more/
      )
      assert.notInclude(tenth.message, "whenLate")
      const ofOneCause = await failure(fiscal.sync([...refused(21), ...sent(300)]))
      assert.strictEqual(ofOneCause.code, "would_become_late")
      assert.lengthOf(await receipts(given), 0)
    })
  )
})

describe("results", () => {
  it.live(
    "are returned in the order of the last change, and again from a cursor, so that a crash loses none",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      await fiscal.sync([invoice("S-1"), invoice("S-2")])
      const all = await every(fiscal.results())
      assert.deepStrictEqual(all.map(({ number, status }) => `${number} ${status}`).toSorted(), [
        "S-1 fiscalised",
        "S-2 fiscalised"
      ])
      await fiscal.sync([invoice("S-3")])
      const later = await every(fiscal.results({ after: all.at(-1)!.cursor }))
      assert.include(
        later.map(({ number }) => number),
        "S-3"
      )
      for (const after of ["x", "2026-02-30"])
        assert.strictEqual((await failure(every(fiscal.results({ after })))).code, "config_invalid", after)
    })
  )

  it.live(
    "reject a cursor of a history that an older copy of the store replaced, and may be read again from its day",
    test(async ({ folder }, options) => {
      const clock = { ahead: 0 }
      const now = () => new Date(Date.now() + clock.ahead)
      const place = (name: string) => ({ ...options, clock: now, store: { sqlite: join(folder, name) } })
      /** Reads the results two minutes later, when every change has its final place. */
      const read = async (fiscal: FiscalConnector, after?: string) => {
        clock.ahead = 120_000
        try {
          return await every(fiscal.results(after === undefined ? {} : { after }))
        } finally {
          clock.ahead = 0
        }
      }
      const rejects = async (fiscal: FiscalConnector, after: string) => {
        const error = await failure(read(fiscal, after))
        assert.strictEqual(error.code, "cursor_unknown")
        const day = /after: "([\d-]+)"/.exec(error.message)![1]!
        assert.isNotEmpty(await read(fiscal, day))
      }
      {
        await using fiscal = await connect(place("first.db"))
        await fiscal.sync([invoice("S-1")])
      }
      copyFileSync(join(folder, "first.db"), join(folder, "copy.db"))
      await using fiscal = await connect(place("first.db"))
      const [older] = await read(fiscal)
      await fiscal.sync([invoice("S-2")])
      const cursor = (await read(fiscal)).at(-1)!.cursor
      const number = cursor.split("-")[0]!
      assert.deepStrictEqual(await read(fiscal, cursor), [])
      assert.deepStrictEqual(await read(fiscal, number), [])
      await using restored = await connect(place("copy.db"))
      for (const beyond of [cursor, number, "1000000"]) await rejects(restored, beyond)
      assert.deepStrictEqual(await read(restored, older!.cursor), [])
      for (const n of [3, 4]) await restored.sync([invoice(`S-${n}`)])
      await rejects(restored, cursor)
      assert.deepStrictEqual(
        (await read(restored, older!.cursor)).map(({ number }) => number),
        ["S-3", "S-4"]
      )
      await using another = await connect(place("another.db"))
      await another.sync([invoice("S-5"), invoice("S-6"), invoice("S-7")])
      await rejects(another, older!.cursor)
    })
  )

  it.live(
    "of one document can be read, awaited, explained and downloaded",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      const key = { kind: "invoice", id: "S-1" } as const
      assert.isUndefined(await fiscal.get(key))
      assert.strictEqual((await failure(fiscal.waitFor(key, { timeoutMs: 10 }))).code, "pending")
      await using plan = await fiscal.plan([invoice("S-1")])
      await fiscal.submit(plan)
      const [waited] = await Promise.all([fiscal.waitFor(key), fiscal.run()])
      assert.strictEqual(waited.status, "fiscalised")
      assert.strictEqual((await fiscal.get(key))?.verificationCode, waited.verificationCode)
      assert.strictEqual(
        Buffer.from(await fiscal.pdf(key))
          .subarray(0, 4)
          .toString(),
        "%PDF"
      )
      const story = await fiscal.explain(key)
      assert.deepStrictEqual(
        story?.attempts.map(({ result }) => result),
        ["accepted"]
      )
      assert.strictEqual((await failure(fiscal.withdraw(key, "a mistake"))).code, "decision_refused")
      assert.strictEqual((await failure(fiscal.withdraw({ ...key, id: "S-9" }, "none"))).code, "not_found")
      assert.strictEqual((await failure(fiscal.pdf({ ...key, id: "S-9" }))).code, "not_found")
    })
  )
})

describe("a connector", () => {
  it.live(
    "reports problems with a code, and whether a retry may help",
    test(async ({ config, folder }, options) => {
      const wrongKey = await connect({ ...options, config: { ...config, apiKey: "another" } })
      const refused = await failure(wrongKey.sync([invoice("S-1")]))
      assert.deepStrictEqual([refused.code, refused.retryable], ["credentials_refused", false])
      await wrongKey[Symbol.asyncDispose]()
      const nowhere = await connect({ ...options, config: { ...config, baseUrl: "http://127.0.0.1:9" } })
      const unreached = await failure(nowhere.sync([invoice("S-1")]))
      assert.deepStrictEqual([unreached.code, unreached.retryable], ["gateway_unreachable", true])
      await nowhere[Symbol.asyncDispose]()
      const bookless = await failure(connect({ ...options, book: { version: 1, zone: "nowhere" } }))
      assert.strictEqual(bookless.code, "book_invalid")
      assert.isAbove(bookless.problems.length, 1)
      assert.strictEqual((await failure(connect({ ...options, book: `${folder}/none.json` }))).code, "book_invalid")
      assert.strictEqual((await failure(connect({ ...options, config: `${folder}/none.json` }))).code, "config_invalid")
      const unnamed = await failure(connect({ ...options, config: { ...config, station: "" } }))
      assert.deepStrictEqual(
        unnamed.problems.map(({ path }) => path.join(".")),
        ["accounts.shop.station"]
      )
      const noStore = await failure(connect({ ...options, store: { sqlite: "/proc/none/shop.db" } }))
      assert.strictEqual(noStore.code, "store_unavailable")
    })
  )

  it.live(
    "rejects with the signal's reason when it is aborted, and sends nothing more",
    test(async (given, options) => {
      const controller = new AbortController()
      const reason = new Error("the deploy goes on")
      await using fiscal = await connect({ ...options, signal: controller.signal })
      const working = fiscal.sync(Array.from({ length: 50 }, (_, i) => invoice(`S-${i + 1}`)))
      setTimeout(() => controller.abort(reason), 120)
      const thrown = await working.then(
        () => null,
        (error: unknown) => error
      )
      assert.strictEqual(thrown, reason)
      const sent = (await receipts(given)).length
      assert.isBelow(sent, 50)
      assert.strictEqual(await fiscal.get({ kind: "invoice", id: "S-1" }).catch((error: unknown) => error), reason)
    })
  )

  it.live(
    "passes its events and logs to the host, and shares a store with other connectors",
    test(async ({ config, store }, options) => {
      await using shared = await openStore(store)
      const events: Array<string> = []
      await using one = await connect({
        ...options,
        store: shared,
        onEvent: (event) => {
          if (event.type === "document") events.push(`${event.number} ${event.status}`)
          throw new Error("a listener of the host")
        }
      })
      await using two = await connect({ ...options, config, store: shared })
      await one.sync([invoice("S-1")])
      assert.strictEqual((await two.get({ kind: "invoice", id: "S-1" }))?.status, "fiscalised")
      assert.deepStrictEqual(events, ["S-1 planned", "S-1 sending", "S-1 accepted", "S-1 fiscalised"])
    })
  )

  it.live(
    "emits an event when the open items change, equal to health, and a throwing listener stops nothing",
    test(async (given, options) => {
      await Effect.runPromise(
        given.sandbox.control.addFault({ kind: "drop", stage: "after", operations: ["submitInvoice"], times: 1 })
      )
      const events: Array<string> = []
      await using fiscal = await connect({
        ...options,
        witnessFile: `${given.folder}/witness.json`,
        onEvent: (event) => {
          if (event.type === "attention") events.push(event.concerns.map(({ code }) => code).join())
          if (event.type === "lane") events.push("lane")
          throw new Error("a listener of the host")
        }
      })
      const [lost] = (await fiscal.sync([invoice("S-1")])).results
      assert.deepStrictEqual(events, ["lane", "UNKNOWN"])
      assert.deepStrictEqual(
        (await fiscal.health()).concerns.map(({ code }) => code),
        ["UNKNOWN"]
      )
      await fiscal.run()
      await fiscal.resolve(lost!, { fiscalised: {} }, "found in the portal")
      assert.deepStrictEqual(
        events.filter((event) => event !== "lane"),
        ["UNKNOWN", ""]
      )
    })
  )

  it.live(
    "reports that the book would now translate a sent document differently",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      await fiscal.sync([invoice("S-1")])
      const renamed = { ...book, taxes: book.taxes.map((tax) => ({ ...tax, code: "RENAMED" })) }
      await using later = await connect({ ...options, book: renamed })
      await using plan = await later.plan([invoice("S-1")])
      const [result] = await every(plan.entries())
      assert.deepStrictEqual(
        [result!.status, result!.changed, result!.problems.map(({ code, detail }) => `${code}: ${detail}`)],
        ["fiscalised", null, ["BOOK_DIFFERS_FROM_SENT: tax codes VAT155, now RENAMED"]]
      )
    })
  )

  it.live(
    "settles many documents at once: shown first, each decided separately, under the operator's name",
    test(async (given, options) => {
      await using fiscal = await connect(options)
      await fiscal.sync([invoice("S-9", { date: "2026-03-09" })])
      await fiscal.sync([invoice("S-1"), invoice("S-2"), invoice("S-3")])
      const late = { status: "held", cause: "late" } as const
      const meant = await fiscal.select(late, "withdrawn")
      // the other held documents, but not those decided about
      const after = await fiscal.becomesLate({ numbers: ["S-1"] }, "resend")
      assert.strictEqual(after?.documents, 0)
      assert.match(after?.text ?? "", /^Every later import of days before \d{4}-\d\d-\d\d would be late/)
      assert.isNull(await fiscal.becomesLate({ numbers: ["S-1"] }, "withdrawn"))
      assert.deepStrictEqual(
        meant.map(({ number, status }) => `${number} ${status}`),
        ["S-1 held", "S-2 held", "S-3 held"]
      )
      const other = await failure(fiscal.resolveAll(late, "withdrawn", "issued anew", { expected: 2 }))
      assert.deepStrictEqual([other.code, (await fiscal.select(late, "withdrawn")).length], ["decision_refused", 3])
      const both = { numbers: ["S-1", "S-2"] }
      const decided = await fiscal.resolveAll(both, "withdrawn", "issued anew", { expected: 2, by: "Ann" })
      assert.deepStrictEqual(
        decided.map(({ refused, result }) => [result.number, result.status, refused]),
        [
          ["S-1", "withdrawn", null],
          ["S-2", "withdrawn", null]
        ]
      )
      assert.deepStrictEqual(await fiscal.select(both, "resend"), [])
      const place = await failure(fiscal.withdraw(decided[0]!.result, "<what you saw in the portal>"))
      assert.match(`${place.code}: ${place.message}`, /^decision_refused: .*only marks its place/)
      // Documents that may have a receipt are decided about by their numbers.
      const store = new DatabaseSync(given.store.sqlite)
      store.exec("update fiscal_submission set hold_cause = 'older-copy' where number = 'S-3'")
      store.close()
      for (const cause of ["older-copy", "person"])
        assert.deepStrictEqual(await fiscal.select({ status: "held", cause }, "resend"), [])
      const alone = await failure(fiscal.resolveAll({ status: "held" }, "resend", "sent", { expected: 1 }))
      assert.match(`${alone.code}: ${alone.message}`, /^decision_refused: .*1 more need a look .* name their `numbers`/)
      assert.lengthOf(await fiscal.select({ numbers: ["S-3"] }, "resend"), 1)
      assert.strictEqual((await failure(fiscal.select({ numbers: ["S-8"] }, "resend"))).code, "not_found")
      assert.strictEqual((await failure(fiscal.select({}, "resend"))).code, "config_invalid")
      assert.strictEqual((await failure(fiscal.acknowledgeDay(4, "looked up"))).code, "decision_refused")
      const database = new DatabaseSync(given.store.sqlite)
      database.exec("insert into fiscal_notice values ('counters', 'test/1001', 'DAY_DIFFERS', '4', 'one more', 1, 1)")
      const codes = async () => (await fiscal.health()).concerns.map(({ code }) => code)
      assert.include(await codes(), "DAY_DIFFERS")
      await fiscal.acknowledgeDay(4, "the till was tried out", { by: "Bob" })
      assert.notInclude(await codes(), "DAY_DIFFERS")
      const record = database.prepare("select who, act from fiscal_decision order by id").all()
      assert.deepStrictEqual(
        record.map(({ act, who }) => `${String(who)} ${String(act)}`),
        ["Ann withdraw", "Ann withdraw", "Bob acknowledge-day"]
      )
      database.close()
    })
  )

  it.live(
    "asks once for documents in another spelling, and takes those that differ in nothing else by one decision",
    test(async (given, options) => {
      await using fiscal = await connect(options)
      const dated = (number: string, nth: number) => invoice(number, { date: `2026-03-0${nth}` })
      await fiscal.sync([1, 2, 3].map((nth) => dated(`S-000${nth}`, nth)))
      const again = [dated("S-1", 1), dated("S-2", 2), invoice("S-3", { date: "2026-03-04" })]
      const { ok, results } = await fiscal.sync(again)
      assert.deepStrictEqual([ok, results.map(({ status }) => status)], [false, ["held", "held", "held"]])
      const held = { status: "held", cause: "duplicate" } as const
      const meant = await fiscal.select(held, "same")
      assert.deepStrictEqual(
        meant.map(({ number }) => number),
        ["S-1", "S-2"]
      )
      await fiscal.resolveAll(held, "same", "the program wrote no zeros", { expected: 2 })
      assert.deepStrictEqual(
        (await fiscal.sync(again)).results.map(({ status }) => status),
        ["fiscalised", "fiscalised", "held"]
      )
      assert.lengthOf(await receipts(given), 3)
    })
  )

  it.live(
    "sends the credit note that is prepared for a changed invoice, with the total that was seen",
    test(async (given, options) => {
      await using fiscal = await connect(options)
      await fiscal.sync([invoice("S-1")])
      const one = { kind: "invoice", id: "S-1" } as const
      assert.strictEqual((await fiscal.creditable(one)).because, "same-figures")
      const [line] = invoice("S-1").lines
      await fiscal.sync([invoice("S-1", { lines: [{ ...line!, quantity: "1" }], totals: { total: "9.99" } })])
      const { balance, credit } = await fiscal.creditable(one)
      assert.deepStrictEqual([balance?.fiscalised.total, balance?.stated?.total], ["19.98", "9.99"])
      assert.deepStrictEqual([credit?.number, credit?.of, credit?.total], ["S-1-C1", "difference", "9.99"])
      const decision = { because: "one lamp came back", by: "Ann" }
      const other = await failure(fiscal.credit(one, { ...decision, total: "10.00" }))
      assert.include(other.message, "9.99 is left to credit now, not 10.00")
      assert.strictEqual(
        (await failure(fiscal.credit({ ...one, id: "S-9" }, { ...decision, total: "1" }))).code,
        "not_found"
      )
      const sent = await fiscal.credit(one, { ...decision, total: "9.99" })
      assert.deepStrictEqual([sent.number, sent.status, sent.total], ["S-1-C1", "fiscalised", "9.99"])
      const only = await fiscal.creditable(one, { receipt: { name: "77", seen: "here" } })
      assert.include(only.because, "the gateway has not stated a receipt 77")
      const unstated = await failure(fiscal.creditedReceipt(one, "1", "seen in the portal"))
      assert.include(unstated.message, "no note for a single receipt waits")
      const twice = await failure(fiscal.credit(one, { ...decision, total: "9.99" }))
      assert.strictEqual(twice.code, "decision_refused")
      assert.lengthOf(await receipts(given), 2)
    })
  )

  it.live(
    "accepts webhooks as bytes, and only with a valid signature",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      const body = new TextEncoder().encode("[]")
      const headers = fiscal.webhooks.signForTest("[]")
      assert.strictEqual((await fiscal.webhooks.receive(body, headers)).status, 200)
      assert.strictEqual((await fiscal.webhooks.receive(body, { ...headers, "x-api-signature": "AAAA" })).status, 401)
    })
  )

  it.live(
    "returns health and the checks of an account",
    test(async ({ folder }, options) => {
      await using fiscal = await connect({ ...options, witnessFile: `${folder}/witness.json` })
      await fiscal.sync([invoice("S-1")])
      const health = await fiscal.health()
      assert.deepStrictEqual([health.counts, health.concerns], [{ fiscalised: 1 }, []])
      const checks = await fiscal.doctor()
      assert.deepStrictEqual(
        checks.filter(({ state }) => state === "broken"),
        []
      )
      assert.include(
        checks.map(({ name }) => name),
        "device"
      )
    })
  )
})

/**
 * Starts a proxy that connects every tunnel to `port` of this machine, and records the requested
 * targets.
 */
const proxyTo = async (port: number) => {
  const targets: Array<string> = []
  const server = createServer((_, response) => void response.writeHead(501).end())
  server.on("connect", ({ url }, socket: Socket) => {
    targets.push(url ?? "")
    const beyond = connectTo(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"))
    beyond.on("error", () => socket.destroy()).pipe(socket)
    socket.on("error", () => beyond.destroy()).pipe(beyond)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    targets,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => void server.close(() => closed()))
  }
}

/** Copies the store and its witness file, and returns an action that puts both back. */
const snapshot = ({ folder }: Given) => {
  const files = ["shop.db", "witness.json"].map((name) => join(folder, name))
  for (const file of files) copyFileSync(file, `${file}.kept`)
  return () => {
    for (const file of files) copyFileSync(`${file}.kept`, file)
    for (const rest of ["-wal", "-shm"]) rmSync(`${files[0]}${rest}`, { force: true })
  }
}

describe("a machine set back to a snapshot, with the store and its witness file", () => {
  const hour = 3_600_000
  // begins at ten in the morning of the book's zone, so that no step is after midnight
  const morning = Math.ceil(Date.now() / (24 * hour)) * 24 * hour + 8 * hour - Date.now()
  const date = new Date(Date.now() + morning).toISOString().slice(0, 10)
  const all = ["S-1", "S-2", "S-3", "S-4", "S-5"].map((number) => invoice(number, { date }))
  for (const [standing, second] of [
    ["open", 1],
    ["closed", 0]
  ] as const)
    it.live(
      `sends ${second} of 4 documents again if the fiscal day is ${standing}, and stops until an operator decides`,
      test(async (given, options) => {
        let ahead = 0
        const move = async (millis: number) => {
          ahead += millis
          await Effect.runPromise(given.sandbox.control.moveClock({ advanceMillis: millis }))
        }
        const closeDay = async () => {
          await move(hour)
          await Effect.runPromise(given.sandbox.control.closeDay())
          await move(hour)
        }
        const sync = async (documents: ReadonlyArray<DocumentInput>) => {
          await using fiscal = await connect({
            ...options,
            clock: () => new Date(Date.now() + ahead),
            witnessFile: join(given.folder, "witness.json")
          })
          return (await fiscal.sync(documents)).results
        }
        await move(morning)
        await sync([invoice("S-0", { date })])
        await closeDay()
        await sync(all.slice(0, 1))
        const back = snapshot(given)
        await sync(all)
        assert.strictEqual((await receipts(given)).length, 6)
        if (standing === "closed") await closeDay()
        back()
        const because = [
          await sync(all).then(
            (results) => results.map((one) => one.because ?? "").join("; "),
            (error: unknown) => String(error)
          ),
          (await failure(sync(all))).message
        ]
        for (const text of because) assert.include(text, "this store may be an older copy")
        assert.strictEqual((await receipts(given)).length, 6 + second)
      })
    )
})

describe("invoices fiscalised elsewhere", () => {
  it.live(
    "are registered once, and a credit note may name one of them",
    test(async (given, options) => {
      await using fiscal = await connect(options)
      const wrong = { ...invoice("E-2"), date: "soon" }
      const report = await fiscal.registerOriginals([invoice("E-1"), wrong])
      const { problems, ...counts } = report
      assert.deepStrictEqual(counts, {
        registered: 1,
        known: 0,
        held: [],
        differing: [],
        fiscalisedHere: [],
        taken: [],
        passedOver: 0
      })
      assert.deepStrictEqual(
        problems.map(({ code, number }) => [number, code]),
        [["E-2", "INPUT_DATE"]]
      )
      assert.strictEqual((await fiscal.registerOriginals([invoice("E-1")])).known, 1)
      const note = { ...invoice("CN-1"), kind: "credit-note", original: { number: "E-1" }, reason: "Returned" } as const
      const [result] = (await fiscal.sync([note])).results
      assert.strictEqual(result?.status, "fiscalised")
      assert.strictEqual((await receipts(given)).length, 1)
    })
  )
})

describe("the connection to the gateway", () => {
  it.live(
    "uses the configured proxy, and a proxy without a valid URL is refused",
    test(async (given, options) => {
      const { host, port } = new URL(given.sandbox.url)
      await using proxy = await proxyTo(Number(port))
      {
        await using fiscal = await connect({ ...options, http: { proxy: proxy.url } })
        const [result] = (await fiscal.sync([invoice("S-1")])).results
        assert.strictEqual(result?.status, "fiscalised")
      }
      assert.deepStrictEqual([...new Set(proxy.targets)], [host])
      const wrong = await failure(connect({ ...options, http: { proxy: "proxy without a scheme" } }))
      assert.deepStrictEqual([wrong.code, wrong.message.includes("http.proxy")], ["config_invalid", true])
    })
  )

  it.live(
    "is checked for the account once in each sync",
    test(async (given, options) => {
      const asked = async () => {
        const calls = await Effect.runPromise(given.sandbox.control.calls)
        return calls.filter(({ operation }) => operation === "profile").length
      }
      await using fiscal = await connect(options)
      await fiscal.sync([invoice("S-1")])
      assert.strictEqual(await asked(), 1)
      await fiscal.sync([invoice("S-2")])
      assert.strictEqual(await asked(), 2)
    })
  )
})
