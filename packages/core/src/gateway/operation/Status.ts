/** What the gateway says of a submission: an item of /status and of a webhook delivery (docs/gateway.md#statusrequest; HOOK-1, HOOK-2). */
import { Array as Array_, Effect, Option, Result, Schema } from "effect"
import { RequestId } from "../../document/Identifiers.ts"
import { UnknownFields, WholeNumber } from "../exchange/AnswerRecord.ts"
import * as AnswerText from "../exchange/AnswerText.ts"
import * as NoResult from "./NoResult.ts"
import type { AssumptionSwitches } from "../contract/AssumptionSwitches.ts"
import { type Calls, readJson } from "../exchange/Calls.ts"
import type { GatewayError } from "../contract/GatewayError.ts"

type Unknown = Readonly<Record<string, unknown>>

/**
 * Proof of fiscalisation. `invoiceNumber` is the authority's, not the seller's (HOOK-2). Fields the device left out are null.
 * `unknownFields` holds what has no field here, and what is there but not of its field's type.
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
 * One result, in three values (STAT-1): "no error" is never success.
 * `pending` also stands for an item that says neither success nor error.
 */
export type StatusItem =
  | { readonly _tag: "Pending"; readonly requestId: RequestId; readonly unknownFields?: Unknown }
  | {
      readonly _tag: "Fiscalised"
      readonly requestId: RequestId
      readonly qrData: QrData | null
      /** A file name for the download operation (STAT-4); untrusted text, never a local path. */
      readonly fiscalInvoicePdf: string | null
      readonly unknownFields?: Unknown
    }
  | {
      readonly _tag: "Rejected"
      readonly requestId: RequestId
      /** The gateway's own text; authority codes may occur in it (STAT-3). */
      readonly error: string
      /** `correctable`: correct and resubmit; `final`: not. Correctable when the gateway does not say (STAT-2). */
      readonly nature: "correctable" | "final"
      readonly unknownFields?: Unknown
    }

/** A request id that no request has: a signed question whose answer is empty, which proves the secret. */
export const nobody = RequestId.make("00000000-0000-4000-8000-000000000000")

/** How many request ids one call of /status takes (docs/gateway.md#limits). */
export const idsPerCall = 100

type Switches = Pick<AssumptionSwitches, "STAT-1" | "STAT-2">

const isRecord = Schema.is(UnknownFields)
const wholeNumber = Schema.decodeUnknownOption(WholeNumber)

/** Takes known fields out of an object of the wire; what is left over is kept, nulls aside. */
const reading = (wire: Unknown) => {
  const taken = new Set<string>()
  const take = <A>(name: string, read: (value: unknown) => A | null): A | null => {
    const value = read(wire[name])
    if (value !== null) taken.add(name)
    return value
  }
  const rest = (): { readonly unknownFields?: Unknown } => {
    const unknown = Object.entries(wire).filter(([name, value]) => !taken.has(name) && value !== null)
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
    AnswerText.line(typeof value === "string" ? value : AnswerText.fromErrorBody(JSON.stringify(value)), 2000)
  )
}

const qrData = (wire: unknown): QrData | null => {
  if (!isRecord(wire)) return null
  const { rest, take } = reading(wire)
  const known = {
    qrCodeUrl: take("QrCodeUrl", text),
    verificationCode: take("VerificationCode", text),
    fiscalDay: take("FiscalDay", number),
    deviceId: take("DeviceId", number),
    invoiceNumber: take("InvoiceNumber", number)
  }
  return { ...known, ...rest() }
}

/** Reads one item; fails with what is wrong with it. */
export const decodeItem = (wire: unknown, switches: Switches): Result.Result<StatusItem, string> => {
  if (!isRecord(wire)) return Result.fail("an item is no object")
  const { rest, take } = reading(wire)
  const id = take("RequestId", text)
  if (id === null) return Result.fail("RequestId: expected text")
  const requestId = RequestId.make(id)
  const success = take("Success", flag)
  if (success === null && wire["Success"] !== null && wire["Success"] !== undefined) {
    return Result.fail("Success: expected a boolean")
  }
  const actionable = take("IsActionable", flag)
  if (success === true) {
    const proof = { qrData: take("QrData", qrData), fiscalInvoicePdf: take("FiscalInvoicePdf", text) }
    return Result.succeed({ _tag: "Fiscalised", requestId, ...proof, ...rest() })
  }
  const silence = switches["STAT-1"] === "rejected" ? "the gateway gave no reason" : null
  const error = success === false ? (take("Error", errorText) ?? silence) : null
  if (error === null) return Result.succeed({ _tag: "Pending", requestId, ...rest() })
  const stated = actionable === true ? "correctable" : "final"
  const nature = actionable === null ? switches["STAT-2"] : stated
  return Result.succeed({ _tag: "Rejected", requestId, error, nature, ...rest() })
}

/** The answer to a status request: what was said of each id, and what could not be read. */
export interface StatusItems {
  readonly items: ReadonlyArray<StatusItem>
  /** What is wrong with each item that could not be read; it never fails the others (HOOK-5). */
  readonly malformed: ReadonlyArray<string>
}

/** Reads a whole answer or delivery; fails only where it is no array. */
export const decodeItems = (wire: unknown, switches: Switches): Result.Result<StatusItems, string> => {
  if (!Array.isArray(wire)) return Result.fail("expected an array of results")
  const [items, malformed] = Array_.partition(wire, (each: unknown) => decodeItem(each, switches))
  return Result.succeed({ items, malformed })
}

/** What can be asked about submissions. */
export interface StatusOperations {
  /**
   * `POST /status` in calls of at most 100; items matched by request id, missing ids simply absent (STAT-5), and so is an id that the gateway
   * says it does not know (STAT-9).
   * An id that is answered twice gives two items, for the reader of outcomes to weigh.
   */
  status(requestIds: ReadonlyArray<RequestId>): Effect.Effect<ReadonlyArray<StatusItem>, GatewayError>
}

/** These operations over the calls of one account. */
export const operations = (calls: Calls): StatusOperations => {
  const decode = (value: unknown) =>
    Result.flatMap(decodeItems(value, calls.config.assumptions), (answer) =>
      answer.items.length === 0 && answer.malformed[0] !== undefined
        ? Result.fail(answer.malformed[0])
        : Result.succeed(answer)
    )
  const ask = Effect.fnUntraced(function* (ids: ReadonlyArray<RequestId>) {
    const { items, malformed } = yield* calls.read({ operation: "status", body: JSON.stringify(ids) }, readJson(decode))
    if (malformed.length > 0) {
      yield* Effect.logWarning(`Check Status: ${malformed.length} results could not be read: ${malformed[0]}`)
    }
    const asked = new Set(ids)
    return items.filter((item) => asked.has(item.requestId) && !NoResult.is(item, calls.config.assumptions))
  })
  return {
    status: (requestIds) =>
      Effect.map(Effect.forEach(Array_.chunksOf([...new Set(requestIds)], idsPerCall), ask), (answers) =>
        answers.flat()
      )
  }
}
