/**
 * Proves that every switch has an effect: here for the gateway room; for the others, the register
 * names the room with the effect.
 */
import { assert, describe, it } from "../It.ts"
import { DateTime, Duration, Effect, Option, Redacted, Result, Stream } from "effect"
import { createHmac } from "node:crypto"
import { RequestId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import { assumptions } from "../../src/gateway/assumption/Assumptions.ts"
import { type AssumptionSwitches, defaults, settlesAfter } from "../../src/gateway/contract/AssumptionSwitches.ts"
import { type GatewayConfig, withDefaults } from "../../src/gateway/contract/GatewayConfig.ts"
import { LocalDateTime, toInstant, zoneOf } from "../../src/gateway/operation/LocalDateTime.ts"
import { connect, secret, serve, settings, withClient, type WholeGateway } from "./Loopback.ts"
import * as Sample from "./SampleAnswers.ts"
import { invoice } from "./SampleDocuments.ts"

const exchange = (
  switches: Partial<AssumptionSwitches>,
  answer: string,
  call: (gateway: WholeGateway) => Effect.Effect<unknown, unknown>
) =>
  Effect.gen(function* () {
    const { baseUrl, received } = yield* serve((_, response) => response.end(answer))
    const gateway = yield* connect(baseUrl, { secret: Redacted.make(secret), assumptions: switches })
    return { result: yield* Effect.result(call(gateway)), request: received[0] }
  }).pipe(withClient(), Effect.scoped)

const signed = (body: string, key: string | Buffer) => createHmac("sha256", key).update(body).digest("base64")

const pending = JSON.stringify([Sample.statusPending])
const rejected = JSON.stringify([{ RequestId: "r-3", Success: false, Error: "no" }])

describe("switches", () => {
  it.live("AUTH-1: every-request signs the empty body of a read as well", function* () {
    const body = JSON.stringify(Sample.profile)
    const usual = yield* exchange({}, body, (_) => _.profile)
    assert.notProperty(usual.request?.headers, "x-api-signature")
    const switched = yield* exchange({ "AUTH-1": "every-request" }, body, (_) => _.profile)
    assert.strictEqual(switched.request?.headers["x-api-signature"], signed("", secret))
  })

  it.live("AUTH-2: base64 uses the decoded secret as the signature key", function* () {
    const { request } = yield* exchange({ "AUTH-2": "base64" }, "r-1", (_) => _.submit(invoice))
    assert.strictEqual(request?.headers["x-api-signature"], signed(request?.body ?? "", Buffer.from(secret, "base64")))
  })

  it("AUTH-7: http-too allows plain http beyond loopback", () => {
    const config: GatewayConfig = { ...settings, baseUrl: "http://sandbox:4010", apiKey: Redacted.make("k") }
    assert.isTrue(Result.isFailure(withDefaults(config)))
    assert.isTrue(Result.isSuccess(withDefaults({ ...config, assumptions: { "AUTH-7": "http-too" } })))
  })

  const outcome = (switches: Partial<AssumptionSwitches>, answer: string) =>
    Effect.map(
      exchange(switches, answer, (_) => _.status([RequestId.make(Sample.statusPending.RequestId)])),
      ({ result }) => Result.getOrThrow(result)
    )

  it.live("STAT-1: rejected reads Success false without an Error as a failure", function* () {
    assert.nestedPropertyVal(yield* outcome({}, pending), "[0]._tag", "Pending")
    assert.nestedPropertyVal(yield* outcome({ "STAT-1": "rejected" }, pending), "[0]._tag", "Rejected")
  })

  it.live("STAT-2: final reads an unspecified failure as not correctable", function* () {
    assert.nestedPropertyVal(yield* outcome({}, rejected), "[0].nature", "correctable")
    assert.nestedPropertyVal(yield* outcome({ "STAT-2": "final" }, rejected), "[0].nature", "final")
  })

  it.live("STAT-6: verbatim keeps the quotes of a request id", function* () {
    const submitted = (switches: Partial<AssumptionSwitches>) =>
      Effect.map(
        exchange(switches, '"r-1"', (_) => _.submit(invoice)),
        ({ result }) => Result.getOrThrow(result)
      )
    assert.strictEqual(yield* submitted({}), "r-1")
    assert.strictEqual(yield* submitted({ "STAT-6": "verbatim" }), '"r-1"')
  })

  it("STAT-9: a duration, never or any; values of earlier versions decide nothing", () => {
    assert.deepStrictEqual(settlesAfter(defaults["STAT-9"]), Duration.hours(20))
    assert.deepStrictEqual(settlesAfter("3 days"), Duration.days(3))
    assert.deepStrictEqual(["never", "any"].map(settlesAfter), ["never", "any"])
    assert.deepStrictEqual(["usual", "none", "no such request", "20 hours .*", "-1 hours"].map(settlesAfter), [
      null,
      null,
      null,
      null,
      null
    ])
  })

  it.live("STAT-8: any accepts a request id without digits", function* () {
    const submitted = (switches: Partial<AssumptionSwitches>) =>
      Effect.map(
        exchange(switches, "abc-def", (_) => _.submit(invoice)),
        ({ result }) => result
      )
    assert.nestedPropertyVal(yield* submitted({}), "failure.reason._tag", "UnknownOutcome")
    assert.deepStrictEqual(yield* submitted({ "STAT-8": "any" }), Result.succeed(RequestId.make("abc-def")))
  })

  const limited = (
    switches: Partial<AssumptionSwitches>,
    call: (gateway: WholeGateway) => Effect.Effect<unknown, unknown>
  ) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serve((_, response) =>
        response.writeHead(429, { "retry-after": "7" }).end("slow down")
      )
      const gateway = yield* connect(baseUrl, { assumptions: switches, retries: { times: 0 } })
      return yield* Effect.result(call(gateway))
    }).pipe(withClient(), Effect.scoped)

  it.live("LIM-1: not-processed treats a 429 as answered before processing", () =>
    Effect.map(
      limited({ "LIM-1": "not-processed" }, (_) => _.submit(invoice)),
      (result) => assert.nestedPropertyVal(result, "failure.reason._tag", "Limited")
    )
  )

  it.live("LIM-1: unknown leaves a submission's outcome open after a 429, and does not affect reads", function* () {
    const submitted = yield* limited({ "LIM-1": "unknown" }, (_) => _.submit(invoice))
    assert.nestedPropertyVal(submitted, "failure.reason._tag", "UnknownOutcome")
    assert.nestedPropertyVal(submitted, "failure.reason.status", 429)
    const read = yield* limited({ "LIM-1": "unknown" }, (_) => _.profile)
    assert.nestedPropertyVal(read, "failure.reason._tag", "Limited")
    const mapped = yield* limited({ "LIM-1": "unknown" }, (_) => _.deleteTaxMapping(7))
    assert.nestedPropertyVal(mapped, "failure.reason._tag", "Limited")
  })

  it.live("OP-9: done treats an update answered with false as done", function* () {
    const mapping = {
      id: 7,
      userId: null,
      taxCode: TaxCode.make("T"),
      taxName: null,
      destinationTaxId: 1,
      unknownFields: {}
    }
    const updated = (switches: Partial<AssumptionSwitches>) =>
      Effect.map(
        exchange(switches, "false", (_) => _.updateTaxMapping(mapping)),
        ({ result }) => result
      )
    assert.isTrue(Result.isFailure(yield* updated({})))
    assert.isTrue(Result.isSuccess(yield* updated({ "OP-9": "done" })))
  })

  it.live("ZREP-1: 0 starts page numbers at 0", function* () {
    const first = (switches: Partial<AssumptionSwitches>) =>
      Effect.map(
        exchange(switches, JSON.stringify(Sample.zReportPage), (_) => Stream.runDrain(_.allZReports())),
        ({ request }) => request?.path
      )
    assert.strictEqual(yield* first({}), "/api/reports/z-report?size=100&page=1")
    assert.strictEqual(yield* first({ "ZREP-1": 0 }), "/api/reports/z-report?size=100&page=0")
  })

  it("TIME-1: a zone reads date-times without an offset in that zone", () => {
    const account = DateTime.zoneMakeOffset(2 * 3_600_000)
    const read = (time: string) =>
      Option.map(toInstant(LocalDateTime.make("2026-01-01T12:00:00"), zoneOf(time, account)), Instant.format)
    assert.deepStrictEqual(read("account"), Option.some("2026-01-01T12:00:00+02:00"))
    assert.deepStrictEqual(read("+00:00"), Option.some("2026-01-01T12:00:00+00:00"))
    assert.deepStrictEqual(read("Asia/Kolkata"), Option.some("2026-01-01T12:00:00+05:30"))
  })

  const here = new Set([
    "AUTH-1",
    "AUTH-2",
    "AUTH-7",
    "STAT-1",
    "STAT-2",
    "STAT-6",
    "STAT-8",
    "STAT-9",
    "STAT-11",
    "LIM-1",
    "OP-9",
    "ZREP-1",
    "TIME-1"
  ])

  it("that are not proven here belong to another room, which the register names", () => {
    for (const id of Object.keys(defaults) as Array<keyof AssumptionSwitches>) {
      const rooms: ReadonlyArray<string> = assumptions[id].usedIn
      const elsewhere = rooms.some((module) => /^core\/src\/(?!gateway\/|document\/)/.test(module))
      assert.isTrue(here.has(id) || elsewhere, id)
    }
  })
})
