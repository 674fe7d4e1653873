import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import type { FaultSpec } from "../fault/Fault.ts"
import type { WorldState } from "../gateway/World.ts"
import * as Decimal from "../wire/Decimal.ts"
import * as ExactJson from "../wire/ExactJson.ts"

type MangledJson = ExactJson.ExactJson

const isArray = (json: MangledJson): json is ReadonlyArray<MangledJson> => Array.isArray(json)
const isObject = (json: MangledJson): json is { readonly [key: string]: MangledJson } =>
  typeof json === "object" && json !== null && !BigDecimal.isBigDecimal(json) && !isArray(json)

const rebuild = (json: MangledJson, change: (json: MangledJson) => MangledJson): MangledJson => {
  if (isArray(json)) return change(json.map((item) => rebuild(item, change)))
  if (isObject(json)) {
    return change(Object.fromEntries(Object.entries(json).map(([key, value]) => [key, rebuild(value, change)])))
  }
  return change(json)
}

const asText = (json: MangledJson): MangledJson => (BigDecimal.isBigDecimal(json) ? Decimal.toText(json) : json)
const withUnknownField = (json: MangledJson): MangledJson =>
  isObject(json) ? { ...json, FieldFromTheFuture: { Nested: [null, "?"] } } : json

const unasked: MangledJson = {
  RequestId: "00000000-0000-0000-0000-000000000000",
  Success: true,
  IsActionable: false,
  Error: null,
  QrData: {
    QrCodeUrl: "https://receipts.sandbox.invalid/nobody",
    VerificationCode: "0000-0000-0000-0000",
    FiscalDay: BigDecimal.fromBigInt(1n),
    DeviceId: BigDecimal.fromBigInt(1n),
    InvoiceNumber: BigDecimal.fromBigInt(1n)
  },
  FiscalInvoicePdf: "nobody.pdf"
}

const isOf = (world: WorldState, item: MangledJson, documents: ReadonlyArray<string> | undefined): boolean => {
  if (documents === undefined) return true
  const requestId = isObject(item) ? item["RequestId"] : undefined
  const document = typeof requestId === "string" ? world.submissions.get(requestId)?.document : undefined
  return document !== undefined && (documents.includes(document.id) || documents.includes(document.number))
}

const changed = (world: WorldState, fault: FaultSpec, json: MangledJson): MangledJson => {
  switch (fault.kind) {
    case "numbers-as-strings":
      return rebuild(json, asText)
    case "unknown-fields":
      return rebuild(json, withUnknownField)
  }
  if (!isArray(json)) return json
  switch (fault.kind) {
    case "items-out-of-order":
      return json.toReversed()
    case "items-repeated":
      return json.flatMap((item) => [item, item])
    case "items-missing":
      return json.filter((item) => !isOf(world, item, fault.documents))
    case "items-unknown":
      return [unasked, ...json]
    default:
      return json
  }
}

export const mangle = (world: WorldState, fault: FaultSpec, body: string): string => {
  if (fault.kind === "quoted-id") return JSON.stringify(body)
  const json = ExactJson.parse(body)
  return Result.isSuccess(json) ? ExactJson.print(changed(world, fault, json.success)) : body
}
