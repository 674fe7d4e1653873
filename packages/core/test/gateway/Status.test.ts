import { assert, describe, it } from "../It.ts"
import { Effect, Result } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import { defaults } from "../../src/gateway/contract/AssumptionSwitches.ts"
import * as Status from "../../src/gateway/operation/Status.ts"
import { requestId } from "../../src/gateway/operation/Submit.ts"
import { connect, serve, serveAnswer, withClient } from "./Loopback.ts"
import * as Sample from "./SampleAnswers.ts"
import { invoice } from "./SampleDocuments.ts"

const item = (wire: unknown, switches = {}) => Result.getOrThrow(Status.decodeItem(wire, { ...defaults, ...switches }))
const problem = (wire: unknown) => {
  const result = Status.decodeItem(wire, defaults)
  return Result.isFailure(result) ? result.failure : undefined
}
const id = (text: string) => RequestId.make(text)

describe("a single result", () => {
  it("is fiscalised with its proof if Success is true", () => {
    assert.deepEqual(item(Sample.statusFiscalized), {
      _tag: "Fiscalised",
      requestId: id("r-1"),
      qrData: {
        qrCodeUrl: "https://receipts.example/r-1",
        verificationCode: "ABCD-1234",
        fiscalDay: 41,
        deviceId: 12345,
        invoiceNumber: 1001
      },
      fiscalInvoicePdf: "r-1.pdf"
    })
  })

  it("is rejected with the gateway's text if Success is false and there is an Error", () => {
    assert.deepEqual(item(Sample.statusRejected), {
      _tag: "Rejected",
      requestId: id("r-2"),
      error: "RCPT025: the tax is not valid on this date",
      nature: "correctable"
    })
    assert.deepEqual(item({ ...Sample.statusRejected, IsActionable: false })._tag, "Rejected")
  })

  it("is final only if IsActionable is false, or absent with STAT-2", () => {
    const nature = (wire: unknown, switches = {}) => {
      const read = item(wire, switches)
      return read._tag === "Rejected" ? read.nature : undefined
    }
    const { IsActionable: _, ...silent } = Sample.statusRejected
    assert.strictEqual(nature({ ...silent, IsActionable: false }), "final")
    assert.strictEqual(nature(silent), "correctable")
    assert.strictEqual(nature({ ...silent, IsActionable: null }), "correctable")
    assert.strictEqual(nature(silent, { "STAT-2": "final" }), "final")
    assert.strictEqual(nature({ ...silent, IsActionable: true }, { "STAT-2": "final" }), "correctable")
  })

  it("is pending, never fiscalised, without an error and without success", () => {
    for (const wire of [
      Sample.statusPending,
      { RequestId: "r-3", Success: false },
      { RequestId: "r-3", Success: false, Error: " " },
      { RequestId: "r-3", Success: null, Error: null },
      { RequestId: "r-3" },
      { RequestId: "r-3", Error: "but no word on success" }
    ]) {
      assert.strictEqual(item(wire)._tag, "Pending")
    }
  })

  it("is rejected without an error with STAT-1", () => {
    assert.strictEqual(item(Sample.statusPending, { "STAT-1": "rejected" })._tag, "Rejected")
    assert.strictEqual(item({ RequestId: "r" }, { "STAT-1": "rejected" })._tag, "Pending")
  })

  it("keeps unknown fields, and values that do not match their field", () => {
    const read = item({
      ...Sample.statusFiscalized,
      IsActionable: null,
      Device: "x",
      QrData: { VerificationCode: 1234, FiscalDay: "41", InvoiceNumber: "many", Extra: [1] }
    })
    assert.deepEqual(read._tag === "Fiscalised" && { qrData: read.qrData, unknownFields: read.unknownFields }, {
      qrData: {
        qrCodeUrl: null,
        verificationCode: "1234",
        fiscalDay: 41,
        deviceId: null,
        invoiceNumber: null,
        unknownFields: { InvoiceNumber: "many", Extra: [1] }
      },
      unknownFields: { Device: "x" }
    })
  })

  it("is fiscalised even if its proof is not an object, and the proof is kept", () => {
    const read = item({ RequestId: "r", Success: true, QrData: "https://x", Error: "odd" })
    assert.deepEqual(read, {
      _tag: "Fiscalised",
      requestId: id("r"),
      qrData: null,
      fiscalInvoicePdf: null,
      said: "odd",
      missing: "readable-proof",
      unknownFields: { QrData: "https://x" }
    })
  })

  it("reads a proof that is JSON inside a text", () => {
    const QrData = JSON.stringify(Sample.statusFiscalized.QrData)
    assert.deepEqual(item({ ...Sample.statusFiscalized, QrData }), item(Sample.statusFiscalized))
    assert.deepEqual(
      item({ ...Sample.statusFiscalized, QrData: JSON.stringify(QrData) }),
      item(Sample.statusFiscalized)
    )
  })

  it("lacks its proof if a success has no code and no receipt number, unless STAT-11 expects none", () => {
    const missing = (QrData: unknown, switches = {}) => {
      const read = item({ RequestId: "r", Success: true, QrData }, switches)
      return read._tag === "Fiscalised" ? read.missing : "no success"
    }
    for (const QrData of [undefined, null, {}, { InvoiceNumber: 0, FiscalDay: 7 }, "{}"])
      assert.strictEqual(missing(QrData), "proof")
    assert.strictEqual(missing("https://x"), "readable-proof")
    for (const QrData of [{ InvoiceNumber: 1 }, { VerificationCode: "A" }]) assert.isUndefined(missing(QrData))
    assert.isUndefined(missing(null, { "STAT-11": "none" }))
  })

  it("contradicts itself if it is a failure with evidence for a receipt, and everything is kept", () => {
    const failed = { RequestId: "r", Success: false, IsActionable: true, Error: "printing failed" }
    const read = item({ ...failed, QrData: { VerificationCode: "ABCD-1234", Note: "x" }, FiscalInvoicePdf: "r.pdf" })
    assert.deepEqual(read, {
      _tag: "Contradictory",
      requestId: id("r"),
      error: "printing failed",
      nature: "correctable",
      qrData: {
        qrCodeUrl: null,
        verificationCode: "ABCD-1234",
        fiscalDay: null,
        deviceId: null,
        invoiceNumber: null,
        unknownFields: { Note: "x" }
      },
      fiscalInvoicePdf: "r.pdf"
    })
    const tagOf = (more: object) => item({ ...failed, ...more })._tag
    assert.strictEqual(tagOf({ QrData: { InvoiceNumber: 41 } }), "Contradictory")
    assert.strictEqual(tagOf({ QrData: '{"InvoiceNumber":"41"}' }), "Contradictory")
    assert.strictEqual(tagOf({ Error: null, QrData: { VerificationCode: "A" } }), "Contradictory")
    // the proof in another place, and in another form
    assert.strictEqual(tagOf({ QrData: [{ VerificationCode: "A" }] }), "Contradictory")
    assert.strictEqual(tagOf({ QrData: { QrData: { InvoiceNumber: 41 } } }), "Contradictory")
    assert.strictEqual(tagOf({ VerificationCode: "A" }), "Contradictory")
    assert.strictEqual(tagOf({ Receipt: '{"Proof":{"verificationCode":"A"}}' }), "Contradictory")
    // a number outside QrData may be the document's own
    assert.strictEqual(tagOf({ Document: { InvoiceNumber: 1001 }, VerificationCode: "" }), "Rejected")
  })

  it("is an ordinary failure with a default proof, or with a PDF alone, which it carries", () => {
    const failed = { RequestId: "r", Success: false, Error: "no" }
    for (const QrData of [null, {}, { VerificationCode: " ", InvoiceNumber: 0 }, { InvoiceNumber: -1 }, "", "{}"])
      assert.strictEqual(item({ ...failed, QrData })._tag, "Rejected")
    assert.deepEqual(item({ ...failed, FiscalInvoicePdf: "r.pdf" }), {
      _tag: "Rejected",
      requestId: id("r"),
      error: "no",
      nature: "correctable",
      fiscalInvoicePdf: "r.pdf"
    })
  })

  it("reads an Error that is an object, and shortens and cleans its text", () => {
    const error = (Error: unknown) => {
      const read = item({ RequestId: "r", Success: false, Error })
      return read._tag === "Rejected" ? read.error : undefined
    }
    assert.strictEqual(error({ Code: 7, Message: "bad tax" }), "bad tax")
    assert.strictEqual(error(["a", "b"]), "a; b")
    assert.strictEqual(error("a\u001b[2Jb"), "a [2Jb")
    assert.strictEqual(error("x".repeat(5000))?.length, 2000)
  })

  it("reports the problem of an item that is not a result", () => {
    assert.strictEqual(problem([]), "expected an object")
    assert.strictEqual(problem(null), "expected an object")
    assert.strictEqual(problem({ Success: true }), "RequestId: absent")
    assert.strictEqual(problem({ RequestId: "r", Success: "true" }), "Success: expected a boolean")
  })
})

describe("Check Status", () => {
  const ask = (answer: unknown, ids: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serveAnswer(200, JSON.stringify(answer))
      const gateway = yield* connect(baseUrl)
      return yield* gateway.status(ids.map(id))
    }).pipe(withClient(), Effect.scoped)

  it.live("matches by request id: unordered, missing, unknown and repeated ids", () =>
    Effect.map(
      ask(
        [Sample.statusPending, Sample.statusFiscalized, { RequestId: "other", Success: true }, Sample.statusFiscalized],
        ["r-1", "r-2", "r-3"]
      ),
      (items) =>
        assert.deepStrictEqual(
          items.map((each) => [each._tag, String(each.requestId)]),
          [
            ["Pending", "r-3"],
            ["Fiscalised", "r-1"],
            ["Fiscalised", "r-1"]
          ]
        )
    )
  )

  it.live("keeps good results next to bad ones, but an answer with only bad ones is malformed", function* () {
    const items = yield* ask([{ Success: true }, 7, Sample.statusFiscalized], ["r-1"])
    assert.deepStrictEqual(
      items.map(({ requestId }) => String(requestId)),
      ["r-1"]
    )
    const { reason } = yield* Effect.flip(ask([{ Success: true }], ["r-1"]))
    assert.strictEqual(reason._tag, "MalformedAnswer")
    assert.strictEqual((yield* Effect.flip(ask({ Items: [] }, ["r-1"]))).reason._tag, "MalformedAnswer")
  })

  it.live("returns an empty list if nothing is known", () =>
    Effect.map(ask([], ["r-1"]), (items) => assert.deepStrictEqual(items, []))
  )
})

describe("the answer to a submission", () => {
  it("is a request id without white space and without one pair of quotes", () => {
    for (const body of ["r-1", ' "r-1"\r\n', "\ufeffr-1", '" r-1 "']) {
      assert.strictEqual(requestId(body, {}), id("r-1"), JSON.stringify(body))
    }
    assert.strictEqual(requestId('""r-1""', {}), null)
    assert.strictEqual(
      requestId("7d0f7f52-0b0e-4c43-9b3a-0b6f9a1f2c11", {}),
      id("7d0f7f52-0b0e-4c43-9b3a-0b6f9a1f2c11")
    )
    assert.strictEqual(requestId("12345", {}), id("12345"))
    assert.strictEqual(requestId(`1${"r".repeat(199)}`, {})?.length, 200)
  })

  it("keeps its quotes with STAT-6", () => {
    assert.strictEqual(requestId('"r-1"', { "STAT-6": "verbatim" }), id('"r-1"'))
  })

  it("is not a request id if it is empty, markup, other JSON, a sentence or too long", () => {
    for (const body of [
      "",
      "  ",
      '""',
      "<html>",
      "{}",
      '{"id":1}',
      "[]",
      "null",
      "true",
      '"null"',
      "two words",
      "é",
      "r\n1",
      "1".repeat(201),
      "1".repeat(10_000_000)
    ]) {
      assert.isNull(requestId(body, {}), JSON.stringify(body))
    }
  })

  it("is not a request id without a digit, even if it is short and plain", () => {
    for (const body of ["OK", "ok", "true", "False", '"Accepted"', "Accepted", "Success.", "Unavailable", "r-x"]) {
      assert.isNull(requestId(body, {}), body)
    }
  })

  it("needs no digit with STAT-8, but is still not a JSON word", () => {
    const any = { "STAT-8": "any" } as const
    assert.strictEqual(requestId("abc-def", any), id("abc-def"))
    for (const body of ["", "null", "true", "FALSE", "undefined", "<OK>", "[a]", "{a}", "two words"]) {
      assert.isNull(requestId(body, any), body)
    }
  })

  it.live("is the request id that submit returns, from 200 and from any other 2xx", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serve((_, response) =>
        response.writeHead(202, { "content-type": "text/plain" }).end('"r-9"\n')
      )
      const gateway = yield* connect(baseUrl)
      assert.strictEqual(yield* gateway.submit(invoice), id("r-9"))
    }).pipe(withClient())
  )
})
