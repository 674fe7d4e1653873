/**
 * Writes the export's refused records as JSON with the reasons, one envelope per text line, to
 * correct and import again.
 */
import { type Adapter, type Finding, Provenance } from "@fiscal-connector/core/adapter"
import { Result, Stream } from "effect"
import { reasonsKey } from "./item/Cell.ts"
import type { Origin } from "./item/Origin.ts"
import { JsonObject, write } from "./json/Json.ts"
import { parse } from "./json/JsonParser.ts"
import { KitDocument } from "./KitDocument.ts"
import { originOf } from "./Session.ts"

export { reasonsKey }

export const reasonOf = ({ at, code, detail, fix, message }: Finding.Finding) => ({
  Code: code,
  Message: message,
  ...(detail !== undefined && { Detail: detail }),
  Fix: fix,
  ...(at !== undefined && { At: Provenance.format(at) })
})

/** Drops the reasons of an earlier run. Returns the text unchanged if it is not a JSON object. */
export const recordWith = (json: string, reasons: string | undefined): string => {
  const value = Result.getOrUndefined(parse(json, 1))
  if (!(value instanceof JsonObject)) return json
  const members = value.keys.flatMap((key, i) =>
    key === reasonsKey ? [] : [`${JSON.stringify(key)}:${write(value.values[i] ?? null)}`]
  )
  return `{${[...(reasons === undefined ? [] : [`"${reasonsKey}":${reasons}`]), ...members].join(",")}}`
}

/** `/QueryResponse/Invoice` gives `{"QueryResponse":{"Invoice":[record]}}`. */
const enveloped = ({ list }: Origin, record: string): string => {
  if (list === undefined || list === "") return record
  const tokens = list.split("/").slice(1)
  return tokens.reduceRight((inner, token) => {
    if (/^\d+$/.test(token)) return `[${inner}]`
    return `{${JSON.stringify(token.replaceAll("~1", "/").replaceAll("~0", "~"))}:${inner}}`
  }, `[${record}]`)
}

const originsOf = ({ reading }: Adapter.RefusedDocument): ReadonlyArray<Origin> => {
  const finding = reading._tag === "Finding" ? originOf.get(reading) : undefined
  const origins = reading instanceof KitDocument ? reading.items.map(({ origin }) => origin) : [finding]
  // rows of a program have no file that the adapter could read again
  return origins.filter((origin) => origin?.list !== undefined) as ReadonlyArray<Origin>
}

const linesOf = (refused: Adapter.RefusedDocument): ReadonlyArray<string> => {
  const reasons = refused.findings.length === 0 ? undefined : JSON.stringify(refused.findings.map(reasonOf))
  return originsOf(refused).map(
    (origin, i) => `${enveloped(origin, recordWith(origin.json, i === 0 ? reasons : undefined))}\n`
  )
}

export const writeRefused = (refused: Stream.Stream<Adapter.RefusedDocument>): Stream.Stream<Uint8Array> =>
  refused.pipe(
    Stream.flatMap((document) => Stream.fromIterable(linesOf(document))),
    Stream.encodeText
  )
