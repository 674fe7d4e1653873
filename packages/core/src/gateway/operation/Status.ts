/**
 * The gateway's result of a submission: an item of /status or of a webhook delivery
 * (docs/gateway.md#statusrequest; HOOK-1, HOOK-2).
 */
import { Array as Array_, Effect, Option, Result, Schema } from "effect"
import { RequestId } from "../../document/Identifiers.ts"
import * as Money from "../../document/Money.ts"
import {
  type AnswerRecord,
  type Decode,
  type FieldTable,
  folded,
  type RecordOf,
  WholeNumber
} from "../exchange/AnswerRecord.ts"
import type { Misfit } from "../exchange/AnswerLaw.ts"
import * as AnswerText from "../exchange/AnswerText.ts"
import * as AnswerTable from "./AnswerTable.ts"
import type { AssumptionSwitches } from "../contract/AssumptionSwitches.ts"
import { type Calls, readJson } from "../exchange/Calls.ts"
import type { MissingProof } from "../contract/MissingProof.ts"
import type { GatewayError, GatewayErrorReason } from "../contract/GatewayError.ts"

type Unknown = Readonly<Record<string, unknown>>

/**
 * Proof of fiscalization. `invoiceNumber` is the authority's number, not the seller's (HOOK-2).
 * Fields that the device left out are null. `unknownFields` contains fields that are missing here,
 * and values that do not have their field's type.
 */
export interface QrData {
  readonly qrCodeUrl: string | null
  readonly verificationCode: string | null
  readonly fiscalDay: number | null
  readonly deviceId: number | null
  readonly invoiceNumber: number | null
  readonly unknownFields?: Unknown
}

/**
 * One result with one of three values (STAT-1): the absence of an error never counts as success.
 * `Pending` also covers an item with neither success nor error.
 */
export type StatusItem =
  | { readonly _tag: "Pending"; readonly requestId: RequestId; readonly unknownFields?: Unknown }
  | {
      readonly _tag: "Fiscalised"
      readonly requestId: RequestId
      readonly qrData: QrData | null
      /** File name for the download operation (STAT-4). Untrusted text, never a local path. */
      readonly fiscalInvoicePdf: string | null
      /** Text of `Error` beside a success: the receipt exists, and the gateway adds a remark. */
      readonly said?: string
      /** Absent if the success has its proof, or none is expected (STAT-11). */
      readonly missing?: MissingProof
      readonly unknownFields?: Unknown
    }
  /** A failure. A failure is not always the result: submission/ledger/Settled decides. */
  | {
      readonly _tag: "Rejected"
      readonly requestId: RequestId
      /** The gateway's own text. Authority codes may occur in the text (STAT-3). */
      readonly error: string
      /**
       * `correctable`: correct the document and submit again. `final`: do not. If the gateway does
       * not say, the switch STAT-2 decides; its default is `correctable`.
       */
      readonly nature: "correctable" | "final"
      /** File name beside the failure. Untrusted text, no proof of a receipt. */
      readonly fiscalInvoicePdf?: string
      readonly unknownFields?: Unknown
    }
  | {
      /**
       * A failure beside evidence for a receipt (`hasProof`). The document may have a receipt until
       * an operator or a success of the request decides.
       */
      readonly _tag: "Contradictory"
      readonly requestId: RequestId
      readonly error: string
      readonly nature: "correctable" | "final"
      readonly qrData: QrData
      readonly fiscalInvoicePdf: string | null
      readonly unknownFields?: Unknown
    }

/**
 * A request id that no request has. A signed request for this id proves the secret; its answer
 * shows
 * what the gateway says of an id that it does not know (the control).
 */
export const nobody = RequestId.make("00000000-0000-4000-8000-000000000000")

/** Largest number of request ids in one call of /status (docs/gateway.md#limits). */
export const idsPerCall = 100

type StatusSwitches = Pick<AssumptionSwitches, "STAT-1" | "STAT-2" | "STAT-11">

const wholeNumber = Schema.decodeUnknownOption(WholeNumber)

const reading = <Table extends FieldTable>(record: AnswerRecord<Table>, wire: RecordOf<Table>) => {
  const taken = new Set<string>()
  const take = <A>(field: keyof Table & string, read: (value: unknown) => A | null): A | null => {
    const value = read(wire[field])
    if (value !== null) taken.add(field)
    return value
  }
  const rest = (): { readonly unknownFields?: Unknown } => {
    const left = record.spellings
      .filter(({ field }) => !taken.has(field))
      .map(({ field, names }) => [names[0], wire[field]] as const)
    const unknown = [...left, ...Object.entries(wire.unknownFields)].filter(([, value]) => value != null)
    return unknown.length === 0 ? {} : { unknownFields: Object.fromEntries(unknown) }
  }
  return { take, rest }
}

const text = (value: unknown): string | null => {
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value.trim() !== "" ? value : null
}
const number = (value: unknown): number | null => Option.getOrNull(wholeNumber(value))
const flag = (value: unknown): boolean | null => (typeof value === "boolean" ? value : null)

const errorText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return text(
    AnswerText.oneLine(typeof value === "string" ? value : AnswerText.fromErrorBody(JSON.stringify(value)), 2000)
  )
}

/** At most twice, as gateways write JSON in a text (SHAPE-1). */
const unwrapped = (wire: unknown, depth = 2): unknown => {
  const parsed = typeof wire === "string" && depth > 0 ? Money.parseJson(wire) : Result.fail("not text")
  return Result.isSuccess(parsed) ? unwrapped(parsed.success, depth - 1) : wire
}

const qrData = (wire: unknown): QrData | null => {
  const read = Result.getOrUndefined(AnswerTable.QrData.decode(unwrapped(wire)))
  if (read === undefined) return null
  const { rest, take } = reading(AnswerTable.QrData, read.value)
  const known = {
    qrCodeUrl: take("qrCodeUrl", text),
    verificationCode: take("verificationCode", text),
    fiscalDay: take("fiscalDay", number),
    deviceId: take("deviceId", number),
    invoiceNumber: take("invoiceNumber", number)
  }
  return { ...known, ...rest() }
}

/**
 * True if the answer has evidence for a receipt: a verification code, or a receipt number above 0.
 */
export const hasProof = (proof: Pick<QrData, "verificationCode" | "invoiceNumber"> | null): boolean =>
  proof !== null && (proof.verificationCode !== null || (proof.invoiceNumber ?? 0) > 0)

const foundIn = <A>(wire: unknown, find: (value: object) => A | null, depth = 4): A | null => {
  const value = unwrapped(wire)
  if (depth === 0 || typeof value !== "object" || value === null) return null
  const own = find(value)
  if (own !== null) return own
  for (const inner of Object.values(value)) {
    const found = foundIn(inner, find, depth - 1)
    if (found !== null) return found
  }
  return null
}

const proofIn = (wire: unknown, is: (proof: QrData) => boolean): QrData | null =>
  foundIn(wire, (value) => {
    const read = qrData(value)
    return read !== null && is(read) ? read : null
  })

/**
 * A number outside of QrData may be the document's own, so only a verification code counts there.
 */
const proofBeside = ({ qrData, unknownFields }: RecordOf<typeof AnswerTable.StatusItem.table>): QrData | null =>
  proofIn(qrData, hasProof) ?? proofIn(unknownFields, ({ verificationCode }) => verificationCode !== null)

/** Names of fields that describe a failure. The value of any other field may show a receipt. */
const describing =
  /^(?:(?:request|device|trace|correlation|invoice|creditnote)id|fiscalday|documentnumber|account|kind|type|hint|title|(?:error|code|message|detail|reason|description)s?|error(?:code|message)|field|line|time|timestamp|date|createdat)$/

const mayShowReceipt = (wire: unknown, name: string, depth = 20): boolean => {
  const value = unwrapped(wire)
  if (depth === 0) return true
  if (Array.isArray(value)) return value.some((each) => mayShowReceipt(each, name, depth - 1))
  if (typeof value === "object" && value !== null)
    return Object.entries(value).some(([own, each]) => mayShowReceipt(each, folded(own), depth - 1))
  if (!value || String(value).trim() === "" || name === "isactionable") return false
  return describing.test(name)
    ? value === true || /^\s*true\s*$|:\/\/|\.pdf\b/i.test(String(value))
    : !/^(?:rejected|failed|failure|error|invalid)$/i.test(String(value))
}

/**
 * True if the unread fields beside a failure may show a receipt, without being evidence for one: a
 * true flag, an address, the name of a PDF, or a value of a field that describes no failure.
 */
export const mayBeProof = (fields: Unknown): boolean => mayShowReceipt(fields, "")

/** Reads one item. Fails with a description of the problem. */
export const decodeItem = (wire: unknown, switches: StatusSwitches): Result.Result<StatusItem, string> => {
  const read = AnswerTable.StatusItem.decode(wire)
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const item = read.success.value
  const { rest, take } = reading(AnswerTable.StatusItem, item)
  const id = take("requestId", text)
  if (id === null) return Result.fail("RequestId: expected text")
  const requestId = RequestId.make(id)
  const success = take("success", flag)
  if (success === null && item.success !== null) return Result.fail("Success: expected a boolean")
  const actionable = take("isActionable", flag)
  if (success === true) {
    const proof = { qrData: take("qrData", qrData), fiscalInvoicePdf: take("fiscalInvoicePdf", text) }
    const said = take("error", errorText)
    const missing = proof.qrData === null && item.qrData !== null ? "readable-proof" : "proof"
    return Result.succeed({
      _tag: "Fiscalised",
      requestId,
      ...proof,
      ...(said !== null && { said }),
      ...(switches["STAT-11"] === "expected" && !hasProof(proof.qrData) && { missing }),
      ...rest()
    } as const)
  }
  const proof = success === false ? proofBeside(item) : null
  const isContradictory = proof !== null
  const silence = switches["STAT-1"] === "rejected" || isContradictory ? "the gateway gave no reason" : null
  const error = success === false ? (take("error", errorText) ?? silence) : null
  if (error === null) return Result.succeed({ _tag: "Pending", requestId, ...rest() })
  const stated = actionable === true ? "correctable" : "final"
  const failure = { requestId, error, nature: actionable === null ? switches["STAT-2"] : stated } as const
  const fiscalInvoicePdf = take("fiscalInvoicePdf", text)
  if (isContradictory) {
    take("qrData", () => proof)
    return Result.succeed({ _tag: "Contradictory", ...failure, qrData: proof, fiscalInvoicePdf, ...rest() })
  }
  return Result.succeed({
    _tag: "Rejected",
    ...failure,
    ...(fiscalInvoicePdf !== null && { fiscalInvoicePdf }),
    ...rest()
  })
}

/** Answer to a status request: the readable items and the problems of the others. */
export interface StatusItems {
  readonly items: ReadonlyArray<StatusItem>
  /**
   * Problem of each item that could not be read. An unreadable item never fails the others
   * (HOOK-5).
   */
  readonly malformed: ReadonlyArray<string>
}

/** Reads a whole answer or delivery. Fails only if the value is not an array. */
export const decodeItems = (wire: unknown, switches: StatusSwitches): Result.Result<StatusItems, string> => {
  if (!Array.isArray(wire)) return Result.fail("expected an array of results")
  const [items, malformed] = Array_.partition(wire, (each: unknown) => decodeItem(each, switches))
  return Result.succeed({ items, malformed })
}

/** Operations on the status of submissions. */
export interface StatusOperations {
  /**
   * Calls `POST /status` with at most 100 ids per call. Items are matched by request id. Ids that
   * the gateway leaves out (STAT-5) are absent from the result. An id that is answered twice gives
   * two items, which the reader of outcomes has to weigh.
   */
  status(requestIds: ReadonlyArray<RequestId>): Effect.Effect<ReadonlyArray<StatusItem>, GatewayError>
  /** Calls `POST /status` for the id that no request has. */
  readonly control: Effect.Effect<StatusControl>
}

/**
 * The gateway's answer for an id that no request has. `Refused`: the gateway refuses the call as a
 * whole, so it does not know the id. `NotAnswered`: nothing is learned from the call.
 */
export type StatusControl =
  | { readonly _tag: "LeftOut" }
  | { readonly _tag: "Refused" }
  | { readonly _tag: "Answered"; readonly items: ReadonlyArray<StatusItem> }
  | { readonly _tag: "NotAnswered" }

/** Returns the control of an answer that has only the items of `nobody`. */
export const controlOf = (items: ReadonlyArray<StatusItem>): StatusControl =>
  items.length === 0 ? { _tag: "LeftOut" } : { _tag: "Answered", items }

// a refusal of the caller, of the moment, or of the rate says nothing about the id
const passingStatuses: ReadonlySet<number> = new Set([401, 403, 408, 425, 429])

const isRefusal = (reason: GatewayErrorReason): boolean => {
  switch (reason._tag) {
    case "NotFound":
    case "Declined":
    case "Misdirected":
      return true
    case "Unavailable":
      return (
        reason.status !== undefined &&
        reason.status >= 400 &&
        reason.status < 500 &&
        !passingStatuses.has(reason.status)
      )
    case "CredentialsRefused":
    case "Limited":
    case "NotSent":
    case "UnknownOutcome":
    case "MalformedAnswer":
      return false
  }
}

/**
 * An id that differs in case is not an outcome of our request and cannot be meant for another
 * client, so it is reported.
 */
const otherCase = (items: ReadonlyArray<StatusItem>, ids: ReadonlyArray<RequestId>): ReadonlyArray<string> => {
  const asked = new Set<string>(ids)
  const folded = new Set(ids.map((id) => id.toLowerCase()))
  return items
    .filter(({ requestId }) => !asked.has(requestId) && folded.has(requestId.toLowerCase()))
    .map(() => "RequestId: the id that was asked for, in another case")
}

/** Makes these operations over the calls of one account. */
export const operations = (calls: Calls): StatusOperations => {
  const decodeFor =
    (ids: ReadonlyArray<RequestId>): Decode<StatusItems> =>
    (wire) =>
      Result.flatMap(decodeItems(wire, calls.config.assumptions), (value) => {
        if (value.items.length === 0 && value.malformed[0] !== undefined) return Result.fail(value.malformed[0])
        const misfits = [...value.malformed, ...otherCase(value.items, ids)].map((problem, index): Misfit => ({
          field: String(index),
          text: problem,
          follows: "row"
        }))
        return Result.succeed({ value, misfits })
      })
  const ask = Effect.fnUntraced(function* (ids: ReadonlyArray<RequestId>) {
    const { items } = yield* calls.read({ operation: "status", body: JSON.stringify(ids) }, readJson(decodeFor(ids)))
    const asked = new Set(ids)
    return items.filter((item) => asked.has(item.requestId))
  })
  const control = ask([nobody]).pipe(
    Effect.match({
      onFailure: ({ reason }): StatusControl => ({ _tag: isRefusal(reason) ? "Refused" : "NotAnswered" }),
      onSuccess: controlOf
    })
  )
  return {
    control,
    status: (requestIds) =>
      Effect.map(Effect.forEach(Array_.chunksOf([...new Set(requestIds)], idsPerCall), ask), (answers) =>
        answers.flat()
      )
  }
}
