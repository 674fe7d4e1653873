/**
 * Lists one change for every place in the answer of every operation, with the result that the table
 * of answers requires.
 */
import { Result } from "effect"
import type { OperationId } from "../../packages/core/src/gateway/contract/Operation.ts"
import type { FieldLaw } from "../../packages/core/src/gateway/exchange/AnswerLaw.ts"
import type { AnswerRecord, Decode, FieldTable } from "../../packages/core/src/gateway/exchange/AnswerRecord.ts"
import * as AnswerTable from "../../packages/core/src/gateway/operation/AnswerTable.ts"

export const kinds = [
  "absent",
  "null",
  "empty",
  "other type",
  "other case",
  "nested once more",
  "as text",
  "in a list",
  "huge",
  "unknown word"
] as const
export type Kind = (typeof kinds)[number]

/**
 * Required result. `same`: as without the change. The other values are those of the table; `safe`:
 * only the laws that always hold are checked.
 */
export type Expected = "same" | "documents" | "answer" | "row" | "not-applied" | "safe"

export interface Mutation {
  readonly operation: OperationId
  /** Readable place: `CurrentConfig.applicableTaxes.1.taxValidTill`. */
  readonly place: string
  readonly kind: Kind
  readonly expected: Expected
  /** Unreadable content must be reported, whatever else follows. */
  readonly told: "must-be-told" | "may-be-silent"
  /** Changes the text of the answer. */
  readonly change: (text: string) => string
  /** Changed text of the answer, for calling the operation alone, outside an import. */
  readonly sample: string
}

type Json = unknown
type Fields = Record<string, Json>

/** Place of an object in an answer, with the record that reads the object. */
interface Place {
  readonly operation: OperationId
  readonly path: ReadonlyArray<string | number>
  readonly record: AnswerRecord<FieldTable>
  readonly sample: Json
}

/** Changes the value at a path. A text that contains JSON is entered like an object. */
const update = (value: Json, path: ReadonlyArray<string | number>, change: (inner: Json) => Json): Json => {
  const [first, ...rest] = path
  if (first === undefined) return change(value)
  if (typeof value === "string") return JSON.stringify(update(JSON.parse(value), path, change))
  if (Array.isArray(value)) return value.map((each, index) => (index === first ? update(each, rest, change) : each))
  const fields = value as Fields
  return { ...fields, [first]: update(fields[first], rest, change) }
}

const otherCase = (name: string): string => {
  const first = name.slice(0, 1)
  return (first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()) + name.slice(1)
}

const otherType = (value: Json): Json => {
  if (typeof value === "number") return "x"
  if (typeof value === "boolean") return "yes"
  return typeof value === "string" ? true : 5
}

const huge = (value: Json): Json => {
  if (typeof value === "number") return 1e300
  if (Array.isArray(value)) return Array.from({ length: 2000 }, (_, index) => value[index % value.length] ?? 5)
  return typeof value === "string" ? "x".repeat(50_000) : 9_007_199_254_740_993n.toString()
}

const unknown = (value: Json): Json => (typeof value === "number" ? 987_654 : "something-new")

/**
 * Returns the new value of a field; for `absent` and `other case`, the object itself is changed.
 */
const changed = (kind: Kind, name: string, value: Json): Json => {
  switch (kind) {
    case "null":
      return null
    case "empty":
      return ""
    case "other type":
      return otherType(value)
    case "nested once more":
      return { [name]: value }
    case "as text":
      return JSON.stringify(value)
    case "in a list":
      return [value]
    case "huge":
      return huge(value)
    case "unknown word":
      return unknown(value)
    default:
      return value
  }
}

const inObject = (kind: Kind, name: string, fields: Fields): Fields => {
  const { [name]: value, ...rest } = fields
  if (kind === "absent") return rest
  if (kind === "other case") return { ...rest, [otherCase(name)]: value }
  return { ...rest, [name]: changed(kind, name, value) }
}

const ofAbsent = ({ absent, taken }: FieldLaw, field: string): Expected => {
  switch (absent) {
    case "null":
      // An exemption is a different percent, and a day without a stated close may have been closed
      // later.
      return taken !== null && ["taxPercent", "closedAt", "isSuccess"].includes(field) ? "documents" : "same"
    case "not-applied":
      return field === "vatNumber" ? "documents" : "not-applied"
    case "asked":
      return "documents"
    default:
      return absent
  }
}

const expectedOf = (
  kind: Kind,
  field: string,
  law: FieldLaw,
  decode: Decode<unknown>,
  value: Json
): Pick<Mutation, "expected" | "told"> => {
  const silent = (expected: Expected) => ({ expected, told: "may-be-silent" }) as const
  if (kind === "other case") return silent("same")
  if (kind === "absent" || kind === "null") return silent(ofAbsent(law, field))
  const read = decode(value)
  const isRead = Result.isSuccess(read) && read.success.misfits.length === 0
  if (isRead) return silent(law.by === null ? "same" : "safe")
  const told = "must-be-told"
  // A list that lost rows is still a list.
  if (Result.isSuccess(read)) return { expected: law.by === null ? "same" : "safe", told }
  return { expected: law.unreadable === "null" ? "same" : law.unreadable, told }
}

/** Operations that an import calls, and whose failure does not stop the import. */
const ofList = new Set<OperationId>(["fiscalDevice", "zReports", "taxMappings", "currencyMappings"])

const inPlace = ({ operation, path, record, sample }: Place): ReadonlyArray<Mutation> => {
  const whole = JSON.stringify(sample)
  const fields = path.reduce<Json>((value, key) => {
    const inner = typeof value === "string" ? JSON.parse(value) : value
    return (inner as Fields)[key]
  }, sample)
  const object = (typeof fields === "string" ? JSON.parse(fields) : fields) as Fields
  return record.spellings.flatMap(({ field, law, names }) => {
    const name = names.find((one) => one in object)
    if (name === undefined) return []
    return kinds.map((kind): Mutation => {
      const change = (text: string): string =>
        JSON.stringify(
          update(JSON.parse(text), path, (inner) =>
            typeof inner === "string"
              ? JSON.stringify(inObject(kind, name, JSON.parse(inner) as Fields))
              : inObject(kind, name, inner as Fields)
          )
        )
      const value = changed(kind, name, object[name])
      const { expected, told } = expectedOf(kind, field, law, record.table[field]!.decode, value)
      return {
        operation,
        place: [...path, name].join("."),
        kind,
        told,
        expected:
          law.beyond === "documents" && ofList.has(operation) && /answer|row/.test(expected) ? "documents" : expected,
        change,
        sample: change(whole)
      }
    })
  })
}

/** Replaces the whole body of an answer. */
const ofBody = (operation: OperationId, expected: Expected, bodies: Readonly<Record<string, string>>) =>
  Object.entries(bodies).map(([what, body]): Mutation => ({
    operation,
    place: `the body: ${what}`,
    kind: "other type",
    expected,
    told: "may-be-silent",
    change: () => body,
    sample: body
  }))

const noJson = { nothing: "", page: "<html><body>busy</body></html>", half: '{"Id": 1' }
const noObject = { ...noJson, null: "null", list: "[]", text: '"x"', number: "5", "a list of null": "[null]" }

export type Samples = Readonly<Partial<Record<OperationId, Json>>>

/** Returns every change of every answer, based on one documented answer of each operation. */
export const mutations = (samples: Samples): ReadonlyArray<Mutation> => {
  const at = (
    operation: OperationId,
    record: { readonly spellings: unknown },
    ...paths: ReadonlyArray<ReadonlyArray<string | number>>
  ): ReadonlyArray<Mutation> =>
    paths.flatMap((path) =>
      inPlace({ operation, path, record: record as AnswerRecord<FieldTable>, sample: samples[operation] })
    )
  const taxes = ["CurrentConfig", "applicableTaxes"] as const
  return [
    ...at("profile", AnswerTable.Profile, []),
    ...ofBody("profile", "answer", noObject),
    ...at("fiscalDevice", AnswerTable.FiscalDevice, []),
    ...at("fiscalDevice", AnswerTable.DeviceConfig, ["CurrentConfig"]),
    ...at("fiscalDevice", AnswerTable.ApplicableTax, [...taxes, 0], [...taxes, 1], [...taxes, 2]),
    ...ofBody("fiscalDevice", "answer", noObject),
    ...at("subscription", AnswerTable.Subscription, []),
    ...at("subscription", AnswerTable.SubscriptionItem, ["SubscriptionItems", 0]),
    ...ofBody("subscription", "answer", noObject),
    ...at("zReports", AnswerTable.ZReportPage, []),
    ...at("zReports", AnswerTable.ZReport, ["Items", 0]),
    ...ofBody("zReports", "documents", noObject),
    ...at("taxMappings", AnswerTable.TaxMapping, [0], [1], [2]),
    ...ofBody("taxMappings", "answer", { ...noJson, null: "null", object: "{}", text: '"x"' }),
    ...ofBody("taxMappings", "documents", { "a list of null": "[null]" }),
    ...at("currencyMappings", AnswerTable.CurrencyMapping, [0], [1], [2]),
    ...ofBody("currencyMappings", "answer", { ...noJson, null: "null", object: "{}" }),
    ...ofBody("currencyMappings", "documents", { "a list of null": "[null]" }),
    ...ofBody("supportedCurrencies", "same", {
      text: '"USD,ZAR"',
      "text with blanks": '"USD; ZAR"',
      "a row of null": '["USD","ZAR",null,5]',
      more: '["USD","ZAR","XXX"]',
      twice: '["USD","ZAR","USD"]'
    }),
    ...ofBody("supportedCurrencies", "documents", {
      ...noJson,
      null: "null",
      object: "{}",
      nested: '{"currencies":["USD"]}',
      number: "5",
      empty: "[]",
      one: '["USD"]',
      "other words": '["usd","zar"]',
      "nested lists": '[["USD"],["ZAR"]]'
    }),
    ...at("status", AnswerTable.StatusItem, [0]),
    ...at("status", AnswerTable.QrData, [0, "QrData"]),
    ...ofBody("status", "same", { ...noObject, object: "{}" }),
    ...ofBody("submitInvoice", "safe", {
      ...noJson,
      null: "null",
      true: "true",
      object: '{"RequestId":"x1"}',
      list: '["x1"]',
      word: "accepted",
      sentence: "your request 5 was taken",
      huge: "1".repeat(5000)
    }),
    ...at("taxMapping", AnswerTable.TaxMapping, []),
    ...at("addTaxMapping", AnswerTable.TaxMapping, []),
    ...at("currencyMapping", AnswerTable.CurrencyMapping, []),
    ...at("addCurrencyMapping", AnswerTable.CurrencyMapping, []),
    ...at("zReport", AnswerTable.ZReport, []),
    ...at("zReport", AnswerTable.ZReportSummary, ["Summaries", 0], ["Summaries", 2]),
    ...(["taxMapping", "addTaxMapping", "currencyMapping", "addCurrencyMapping", "zReport"] as const).flatMap((one) =>
      ofBody(one, "answer", noObject)
    ),
    ...(["zReportPdf", "downloadPdf"] as const).flatMap((one) => ofBody(one, "answer", noObject)),
    ...(["updateTaxMapping", "updateCurrencyMapping"] as const).flatMap((one) => [
      ...ofBody(one, "same", { ...noObject, true: "true" }),
      ...ofBody(one, "answer", { false: "false", "false as text": '"false"' })
    ]),
    ...(["deleteTaxMapping", "deleteCurrencyMapping", "test"] as const).flatMap((one) => ofBody(one, "same", noObject))
  ]
}
