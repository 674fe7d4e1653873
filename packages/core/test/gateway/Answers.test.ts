/** Decodes each operation's answers: every field typed, numbers exact, unknown fields kept. */
import { assert, describe, it } from "../It.ts"
import { BigDecimal, Effect, Option, Redacted, Stream } from "effect"
import { TaxCode } from "../../src/document/Identifiers.ts"
import * as Money from "../../src/document/Money.ts"
import type { GatewayOperations } from "../../src/gateway/Gateway.ts"
import type { GatewayConfig } from "../../src/gateway/contract/GatewayConfig.ts"
import type { GatewayError } from "../../src/gateway/contract/GatewayError.ts"
import { connect, serve, serveAnswer, withClient } from "./Loopback.ts"
import * as Sample from "./SampleAnswers.ts"

const answered = <A>(
  answer: unknown,
  call: (gateway: GatewayOperations) => Effect.Effect<A, GatewayError>,
  config: Partial<GatewayConfig> = {}
) =>
  Effect.gen(function* () {
    const body = typeof answer === "string" || answer instanceof Uint8Array ? answer : JSON.stringify(answer)
    const { baseUrl } = yield* serveAnswer(200, body)
    return yield* call(yield* connect(baseUrl, config))
  }).pipe(withClient(), Effect.scoped)

const refused = (answer: unknown, call: (gateway: GatewayOperations) => Effect.Effect<unknown, GatewayError>) =>
  Effect.map(Effect.flip(answered(answer, call)), ({ reason }) => reason)

const money = (text: string) => Option.getOrThrow(Money.parse(text))

describe("answers", () => {
  it.live("Get Profile returns every field, and keeps unknown fields", () =>
    Effect.map(
      answered({ ...Sample.profile, Theme: { dark: true } }, (_) => _.profile),
      (profile) =>
        assert.deepStrictEqual(profile, {
          id: 41,
          fullName: "Rudo Moyo",
          username: "rudo",
          email: "rudo@shop.example",
          fiscalProvider: "7d0f7f52-0b0e-4c43-9b3a-0b6f9a1f2c11",
          unknownFields: { Theme: { dark: true } }
        })
    )
  )

  it.live("Get Fiscal Device returns every field and its configuration, and date-times without offset unchanged", () =>
    Effect.map(
      answered(Sample.fiscalDevice, (_) => _.fiscalDevice),
      ({ activationKey, currentConfig, ...device }) => {
        assert.strictEqual(activationKey && Redacted.value(activationKey), "activation-PLANTED-55aa")
        assert.deepEqual(device, {
          id: 5,
          deviceId: 12345,
          serialNo: "SN-1",
          modelName: "Server",
          modelVersion: "v1",
          tin: "2000123456",
          bpNumber: "0100012345",
          taxpayerName: "Shop Ltd",
          tradeName: "Shop",
          vatNumber: "220012345",
          activatedOn: "2024-01-02T03:04:05.6789",
          isActive: true,
          isLive: false,
          nextPingTime: "2026-02-03T04:05:06",
          isSwitchedOn: true,
          allowCsvUpload: true,
          allowCreditNoteWithNoInvoice: false,
          expireCreditNoteWithNoInvoice: "2026-03-01T00:00:00",
          billingStatus: 1,
          billingIdType: 2,
          isAutoPayPreferred: false,
          expireCsvUpload: "2026-04-01T00:00:00",
          fiscalProviderId: 1,
          billingPlanLevel: 3,
          unknownFields: {}
        } as unknown)
        const { applicableTaxes, ...config } = currentConfig!
        assert.deepStrictEqual(config, {
          taxPayerName: "Shop Ltd",
          taxPayerTIN: "2000123456",
          vatNumber: "220012345",
          deviceSerialNo: "SN-1",
          deviceBranchName: "Harbour",
          deviceOperatingMode: "Offline",
          taxPayerDayMaxHrs: 24,
          taxPayerDayEndNotificationHrs: 2,
          unknownFields: {}
        })
        assert.deepStrictEqual(
          applicableTaxes!.map((tax) => [
            tax.taxId,
            tax.taxPercent && Money.formatPlain(tax.taxPercent),
            tax.taxName,
            tax.taxValidFrom,
            tax.taxValidTill
          ]),
          [
            [1, "15", "Standard 15%", "2020-01-01", "2025-12-31"],
            [515, "15.5", "Standard 15.5%", "2026-01-01", null],
            [2, "0", "Zero rated", null, null],
            [3, null, "Exempt", null, null]
          ]
        )
      }
    )
  )

  it.live(
    "a taxpayer without VAT registration has no VAT number, in the device and in its configuration",
    function* () {
      const { VATNumber: _, ...device } = Sample.fiscalDevice
      const { vatNumber: __, ...config } = Sample.deviceConfig
      const { currentConfig, vatNumber } = yield* answered(
        { ...device, CurrentConfig: JSON.stringify(config) },
        (_) => _.fiscalDevice
      )
      assert.isNull(vatNumber)
      assert.isNull(currentConfig?.vatNumber)
    }
  )

  it.live("Subscription returns every field with exact amounts", () =>
    Effect.map(
      answered(Sample.subscription, (_) => _.subscription),
      ({ amountDue, price, ...rest }) => {
        assert.isTrue(BigDecimal.equals(amountDue!, money("0.1")))
        assert.isTrue(BigDecimal.equals(price!, money("25.5")))
        assert.deepEqual(rest, {
          id: 8,
          billingSubscriptionId: "sub-8",
          customerName: "Shop Ltd",
          deviceId: 12345,
          expiresOn: "2027-01-01T00:00:00",
          status: "active",
          isDeleted: false,
          amountDueSince: null,
          lastUpdatedOn: "2026-01-01T00:00:00",
          billingPeriodUnit: "month",
          billingPlanName: "Standard",
          subscriptionItems: [{ id: 1, subscriptionId: 8, subscriptionType: 2, quantity: 1, unknownFields: {} }],
          unknownFields: {}
        } as unknown)
      }
    )
  )

  it.live("numbers may be strings, and amounts keep all digits", function* () {
    const answer = JSON.stringify({ ...Sample.subscription, Id: " 8 ", DeviceId: "12345", AmountDue: "PLACE" })
    const { amountDue, deviceId, id } = yield* answered(
      answer.replace('"PLACE"', "12345678901234567.89"),
      (_) => _.subscription
    )
    assert.deepStrictEqual(
      [id, deviceId, amountDue && Money.formatPlain(amountDue)],
      [8, 12345, "12345678901234567.89"]
    )
  })

  const mapping = { id: 7, userId: 41, taxCode: TaxCode.make("VAT15"), taxName: "VAT 15 %", destinationTaxId: 1 }

  it.live("tax mappings are listed, read and added", function* () {
    const expected = { ...mapping, unknownFields: {} }
    assert.deepStrictEqual(yield* answered([Sample.taxMapping], (_) => _.taxMappings), [expected])
    assert.deepStrictEqual(yield* answered(Sample.taxMapping, (_) => _.taxMapping(7)), expected)
    assert.deepStrictEqual(yield* answered(Sample.taxMapping, (_) => _.addTaxMapping(mapping)), expected)
  })

  it.live("a tax id under its alias is read, and if both names are present the alias is kept as unknown", function* () {
    const { DestinationTaxId: _, ...rest } = Sample.taxMapping
    const renamed = yield* answered({ ...rest, RegulatorTaxId: 3 }, (_) => _.taxMapping(7))
    assert.strictEqual(renamed.destinationTaxId, 3)
    const both = yield* answered({ ...Sample.taxMapping, RegulatorTaxId: 3 }, (_) => _.taxMapping(7))
    assert.deepStrictEqual([both.destinationTaxId, both.unknownFields], [1, { RegulatorTaxId: 3 }])
  })

  it.live("currency mappings are listed, read and added, and the supported currencies listed", function* () {
    const expected = {
      id: 9,
      userId: 41,
      regulatorDeviceId: 12345,
      sourceCurrency: "USD",
      destinationCurrency: "USD",
      unknownFields: {}
    } as unknown
    const [listed] = yield* answered([Sample.currencyMapping], (_) => _.currencyMappings)
    assert.deepEqual(listed as unknown, expected)
    assert.deepEqual((yield* answered(Sample.currencyMapping, (_) => _.currencyMapping(9))) as unknown, expected)
    assert.deepEqual(
      (yield* answered(Sample.currencyMapping, (_) => _.addCurrencyMapping(listed!))) as unknown,
      expected
    )
    assert.deepStrictEqual(yield* answered(["USD", "ZWG"], (_) => _.supportedCurrencies), ["USD", "ZWG"])
  })

  it.live("an update is done after true, an empty answer or any other answer except false", function* () {
    const update = (_: GatewayOperations) => _.updateTaxMapping({ ...mapping, unknownFields: {} })
    yield* Effect.forEach(["true", "", "{}"], (answer) => answered(answer, update))
    const reason = yield* refused("false", update)
    assert.strictEqual(reason._tag, "Declined")
    assert.strictEqual(reason._tag === "Declined" && reason.status, 200)
    yield* Effect.forEach(["true", "false", "", "<p>gone</p>"], (answer) =>
      answered(answer, (_) => _.deleteTaxMapping(7))
    )
  })

  it.live("an added mapping with an unreadable answer is unknown, since it may have been added", () =>
    Effect.map(
      refused("<html>", (_) => _.addTaxMapping(mapping)),
      ({ _tag }) => assert.strictEqual(_tag, "UnknownOutcome")
    )
  )

  it.live("a PDF is returned byte for byte, and any other content is malformed", function* () {
    const pdf = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0x2e, 0x34, 0x00, 0xff, 0xfe, 0x80])
    assert.deepStrictEqual(yield* answered(pdf, (_) => _.downloadPdf("a.pdf")), pdf)
    assert.deepStrictEqual(yield* answered(pdf, (_) => _.zReportPdf(41)), pdf)
    const reason = yield* refused("<html>sign in</html>", (_) => _.downloadPdf("a.pdf"))
    assert.strictEqual(reason._tag, "MalformedAnswer")
  })

  it.live("a single Z-report has its summaries, an opening time under its alias, and no closing time", function* () {
    const report = yield* answered(Sample.zReport, (_) => _.zReport(41))
    assert.deepEqual([report.openedAt, report.closedAt, report.isSuccess, report.message] as Array<unknown>, [
      "2026-02-03T08:00:00",
      null,
      true,
      ""
    ])
    assert.deepStrictEqual(
      report.summaries?.map((counter) => [
        counter.counterType,
        counter.currency,
        counter.taxPercent && Money.formatPlain(counter.taxPercent),
        counter.taxId,
        counter.paymentMethod,
        Money.formatAmount(counter.amount)
      ]),
      [
        ["Sale", "USD", "15", 1, null, "115.50"],
        ["SaleTax", "USD", "15", 1, null, "15.07"],
        ["Balance", "USD", null, null, "Cash", "115.50"]
      ]
    )
  })

  it.live("Z-reports are listed with their page, with and without summaries", function* () {
    const { Summaries: _, ...bare } = Sample.zReportListed
    const page = yield* answered({ ...Sample.zReportPage, Items: [bare, Sample.zReportListed] }, (_) => _.zReports())
    assert.deepEqual([page.totalItemCount, page.page, page.pageSize], [1, 1, 100])
    assert.deepEqual(
      page.items.map(({ summaries }) => summaries),
      [null, []]
    )
    assert.deepEqual(page.items.map(({ closedAt }) => closedAt) as Array<unknown>, Array(2).fill("2026-02-03T20:00:00"))
  })

  const pagesOf = (config: Partial<GatewayConfig>, total: (page: number) => number) =>
    Effect.gen(function* () {
      const { baseUrl, received } = yield* serve(({ path }, response) => {
        const page = Number(new URL(path, "http://x").searchParams.get("page"))
        const Items = page > 3 ? [] : [0, 1].map((n) => ({ ...Sample.zReportListed, FiscalDayNumber: page * 10 + n }))
        response.end(JSON.stringify({ Items, TotalItemCount: total(page), Page: page, PageSize: 2 }))
      })
      const gateway = yield* connect(baseUrl, config)
      const reports = yield* Stream.runCollect(gateway.allZReports({ size: 2 }))
      return { calls: received.length, days: reports.map(({ fiscalDayNumber }) => fiscalDayNumber) }
    }).pipe(withClient(), Effect.scoped)

  it.live("Z-reports stream over all pages, with the first page number of ZREP-1", function* () {
    assert.deepStrictEqual(yield* pagesOf({}, () => 6), { calls: 3, days: [10, 11, 20, 21, 30, 31] })
    assert.deepStrictEqual(yield* pagesOf({ assumptions: { "ZREP-1": 0 } }, () => 4), {
      calls: 2,
      days: [0, 1, 10, 11]
    })
  })

  it.live("a stream of Z-reports ends at an empty page, whatever the total count is", () =>
    Effect.map(
      pagesOf({}, () => 1000),
      ({ calls, days }) => assert.deepStrictEqual([calls, days.length], [4, 6])
    )
  )

  it.live("Test returns the gateway's text", () =>
    Effect.map(
      answered("pong\u0007", (_) => _.test),
      (text) => assert.strictEqual(text, "pong")
    )
  )

  const malformed: ReadonlyArray<readonly [string, unknown, string]> = [
    ["no JSON", "<html>busy</html>", "not JSON"],
    ["nothing at all", "", "not JSON"],
    ["an array for an object", [], "the body"],
    ["null", "null", "the body"],
    ["no id", { ...Sample.fiscalDevice, DeviceId: undefined }, "DeviceId: "],
    ["an id that is not a whole number", { ...Sample.fiscalDevice, DeviceId: 1.5 }, "DeviceId: "],
    ["no word on whether it is live", { ...Sample.fiscalDevice, IsLive: null }, "IsLive: "],
    ["a word for a flag", { ...Sample.fiscalDevice, IsActive: "true" }, "IsActive: "]
  ]
  for (const [what, answer, problem] of malformed) {
    it.live(`a device answered with ${what} is malformed, and the place is reported`, () =>
      Effect.map(
        refused(answer, (_) => _.fiscalDevice),
        (reason) => {
          assert.strictEqual(reason._tag, "MalformedAnswer")
          if (reason._tag !== "MalformedAnswer") return
          assert.include(reason.text, problem)
          assert.isAtMost(reason.excerpt.length, 200)
        }
      )
    )
  }
})
