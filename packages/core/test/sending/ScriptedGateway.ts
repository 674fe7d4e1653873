/** Gateway with scripted answers and a record of requests. */
import { nobody } from "../../src/gateway/operation/Status.ts"
import { Clock, Effect, Option } from "effect"
import { type FiscalDocument, idOf, numberOf } from "../../src/document/FiscalDocument.ts"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import {
  CredentialsRefused,
  Declined,
  GatewayError,
  type GatewayErrorReason,
  Limited,
  Misdirected,
  NotFound,
  NotSent,
  UnknownOutcome
} from "../../src/gateway/contract/GatewayError.ts"
import type { SubmitOperations } from "../../src/gateway/operation/Submit.ts"
import type { GatewayProfile } from "../../src/gateway/operation/Profile.ts"
import type { StatusControl, StatusItem } from "../../src/gateway/operation/Status.ts"
import type { CurrencyMapping } from "../../src/gateway/operation/CurrencyMapping.ts"
import type { FiscalDevice } from "../../src/gateway/operation/FiscalDevice.ts"
import type { AnswerMisfits } from "../../src/gateway/exchange/Calls.ts"
import type { GatewayOperations } from "../../src/gateway/Gateway.ts"
import type { TaxMapping } from "../../src/gateway/operation/TaxMapping.ts"
import type { ZReport } from "../../src/gateway/operation/ZReport.ts"
import * as Transmission from "../../src/gateway/internal/SubmitCapability.ts"
import type { AccountSettings } from "../../src/account/AccountSettings.ts"

export const failure = (reason: GatewayErrorReason) =>
  Effect.fail(new GatewayError({ operation: "Submit Invoice", reason }))

export const answers = {
  declined: failure(new Declined({ status: 400, text: "Total is missing" })),
  credentials: failure(new CredentialsRefused({ status: 401, text: "no" })),
  notFound: failure(new NotFound({ what: "operation" })),
  misdirected: failure(new Misdirected({ status: 405 })),
  limited: failure(new Limited({})),
  notSent: failure(new NotSent({ cause: "not-connected", text: "connection refused" })),
  unknown: failure(new UnknownOutcome({ status: 502, text: "answered 502" }))
}

export interface Submitted {
  readonly id: string
  readonly number: string
  readonly date: string
  readonly isRetry: boolean
  readonly document: FiscalDocument
}

/** Returns a receipt number that is the request's own. */
export const receiptNumber = (requestId: string): number =>
  [...requestId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 1)

export const fiscalised = (
  requestId: string,
  verificationCode: string | null = `V-${requestId}`,
  deviceId = 1001
): StatusItem => ({
  _tag: "Fiscalised",
  requestId: RequestId.make(requestId),
  qrData: { verificationCode, qrCodeUrl: null, fiscalDay: 7, deviceId, invoiceNumber: receiptNumber(requestId) },
  fiscalInvoicePdf: `${requestId}.pdf`
})

export const rejected = (requestId: string, nature: "correctable" | "final" = "correctable"): StatusItem => ({
  _tag: "Rejected",
  requestId: RequestId.make(requestId),
  error: "RCPT017: TaxCode X is not mapped",
  nature
})

/** A failure with this text: no code of a receipt rule. */
export const failed = (
  requestId: string,
  error: string,
  nature: "correctable" | "final" = "correctable"
): StatusItem => ({
  _tag: "Rejected",
  requestId: RequestId.make(requestId),
  error,
  nature
})

/** A failure with the proof of a receipt in the same answer. */
export const contradictory = (requestId: string, verificationCode = `V-${requestId}`): StatusItem => ({
  _tag: "Contradictory",
  requestId: RequestId.make(requestId),
  error: "printing failed",
  nature: "correctable",
  qrData: { verificationCode, qrCodeUrl: null, fiscalDay: 7, deviceId: 1001, invoiceNumber: 41 },
  fiscalInvoicePdf: null
})

export const pending = (requestId: string): StatusItem => ({ _tag: "Pending", requestId: RequestId.make(requestId) })

const profile: GatewayProfile = { id: 1, fullName: "", username: "", email: "", fiscalProvider: "" } as GatewayProfile

/** Device of every account without another one. */
export const device = {
  deviceId: 1001,
  tin: "2000000001",
  serialNo: "SN-1001",
  taxpayerName: "A Shop",
  allowCsvUpload: false,
  expireCsvUpload: null,
  isActive: true,
  isSwitchedOn: true,
  currentConfig: null,
  isLive: false
}
export type Device = typeof device

const notAsked = Effect.die("a lane asks nothing of this")

/**
 * Creates a gateway. Documents without a scripted answer are accepted with the request ids `r1`,
 * `r2`, …; everything accepted is fiscalized unless `status` states otherwise.
 */
export const make = () => {
  const submitted: Array<Submitted> = []
  const asked: Array<ReadonlyArray<string>> = []
  const script = new Map<string, Array<Effect.Effect<RequestId, GatewayError>>>()
  const state = {
    probes: 0,
    profile: Effect.succeed(profile) as Effect.Effect<GatewayProfile, GatewayError>,
    device: {} as Partial<Device>,
    subscription: { status: "active", isDeleted: false },
    aheadMillis: 0,
    /** Clock differences in the next answers; later answers use `aheadMillis`. */
    aheadNext: [] as Array<number>,
    misfits: [] as ReadonlyArray<AnswerMisfits>,
    closes: [] as ReadonlyArray<ZReport>,
    /** Days whose single report was requested. */
    daysAsked: [] as Array<number>,
    /** Mappings of codes; null: no request is expected. */
    mappings: null as {
      readonly taxes: ReadonlyArray<TaxMapping>
      readonly currencies: ReadonlyArray<CurrencyMapping>
    } | null,
    /** Runs after each answer about closed days. */
    afterDays: Effect.void as Effect.Effect<void>,
    /** Answer to the request for one day, before its report. */
    report: Effect.void as Effect.Effect<void, GatewayError>,
    /** Runs during the proof of the secret. */
    proof: Effect.void as Effect.Effect<void>,
    status: (id: string): StatusItem | null => fiscalised(id),
    /** Answer for the id that no request has. */
    control: { _tag: "LeftOut" } as StatusControl,
    /** Number of calls for that id. */
    controls: 0,
    /** Time of the last call for outcomes. */
    lastAskedAt: 0
  }
  let accepted = 0
  const accept = Effect.sync(() => RequestId.make(`r${++accepted}`))
  const submit = (document: FiscalDocument) =>
    Effect.suspend(() => {
      const id = idOf(document)
      const { date, isRetry } = document.payload
      submitted.push({ id, number: numberOf(document), date: Instant.format(date), isRetry, document })
      return script.get(id)?.shift() ?? accept
    })
  const operations = (own: Device) =>
    ({
      fiscalDevice: Effect.sync(() => ({ ...own, ...state.device }) as FiscalDevice),
      subscription: Effect.sync(() => state.subscription as never),
      clock: Effect.sync(() =>
        Option.some({ _tag: "Told", aheadMillis: state.aheadNext.shift() ?? state.aheadMillis } as const)
      ),
      zReports: () =>
        Effect.sync(
          () => ({ items: state.closes, totalItemCount: state.closes.length, page: 1, pageSize: 20 }) as never
        ).pipe(Effect.tap(Effect.suspend(() => state.afterDays))),
      zReport: (day: number) =>
        Effect.suspend(() => {
          state.daysAsked.push(day)
          const found = state.closes.find(({ fiscalDayNumber }) => fiscalDayNumber === day)
          return found === undefined ? failure(new NotFound({ what: "operation" })) : Effect.succeed(found)
        }).pipe(Effect.tap(Effect.suspend(() => state.afterDays)), Effect.tap(Effect.suspend(() => state.report))),
      profile: Effect.suspend(() => {
        state.probes++
        return state.profile
      }),
      status: (ids: ReadonlyArray<RequestId>) =>
        Effect.suspend(() => {
          // No gateway answers for a request that was never made.
          if (ids.includes(nobody))
            return Effect.as(state.proof, state.control._tag === "Answered" ? state.control.items : [])
          asked.push(ids)
          return Effect.map(Clock.currentTimeMillis, (now) => {
            state.lastAskedAt = now
            return ids.flatMap((id) => state.status(id) ?? [])
          })
        }),
      control: Effect.sync(() => {
        state.controls++
        return state.control
      }),
      misfits: Effect.sync(() => state.misfits),
      test: notAsked,
      taxMappings: Effect.suspend(() => (state.mappings === null ? notAsked : Effect.succeed(state.mappings.taxes))),
      currencyMappings: Effect.suspend(() =>
        state.mappings === null ? notAsked : Effect.succeed(state.mappings.currencies)
      ),
      supportedCurrencies: Effect.suspend(() => (state.mappings === null ? notAsked : Effect.succeed([])))
    }) as unknown as GatewayOperations
  const gatewayOf = (own: Partial<Device>) => Transmission.keep(operations({ ...device, ...own }), submit)
  const gateway = gatewayOf({})
  return {
    gateway,
    submitted,
    asked,
    state,
    accept,
    /** Sets the answers to the document's next submissions, in order. */
    answer: (id: string, ...replies: ReadonlyArray<Effect.Effect<RequestId, GatewayError>>) => {
      script.set(id, [...replies])
    },
    /** Returns an account; another account may feed another device. */
    account: (particulars: Partial<AccountSettings> = {}, own: Partial<Device> = {}): AccountSettings => ({
      account: "shop",
      gateway: gatewayOf(own),
      ...particulars
    })
  }
}

/**
 * Returns an account that is opened with scripted answers, but sends and asks for outcomes with the
 * given gateway.
 */
export const sendingBy = (
  { status, submit }: Pick<GatewayOperations, "status"> & SubmitOperations,
  particulars: Partial<AccountSettings> = {},
  own: Partial<Device> = {}
): AccountSettings => {
  const settings = make().account(particulars, own)
  return { ...settings, gateway: Transmission.keep({ ...settings.gateway, status }, submit) }
}

export type ScriptedGateway = ReturnType<typeof make>
