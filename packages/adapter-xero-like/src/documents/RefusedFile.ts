/**
 * Writer of refused documents: the export's own records as JSON with the reasons, to correct and
 * import again.
 */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import type { RefusedDocument } from "@fiscal-connector/core/source/Adapter"
import { Stream } from "effect"
import { write } from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { type Kept, restore } from "../records/Kept.ts"
import { Unplaced } from "../records/Unplaced.ts"
import { reasonsKey } from "../records/Records.ts"
import { elsewhere, release } from "./RefusedBefore.ts"
import { XeroDocument } from "./XeroDocument.ts"

const reasonOf = ({ at, code, detail, fix, message }: Finding) => ({
  Code: code,
  Message: message,
  ...(detail !== undefined && { Detail: detail }),
  Fix:
    elsewhere.has(code) && !fix.includes(release) ? `${fix} If the document is correct in this file, ${release}.` : fix,
  ...(at !== undefined && { At: Provenance.format(at) })
})

/** Returns the record's members after the reasons, without the reasons of an earlier import. */
const recordWith = (kept: Kept | undefined, reasons: string | undefined): string => {
  const { keys, values } = kept === undefined ? { keys: [], values: [] } : restore(kept).object
  const members = keys.flatMap((key, i) =>
    key === reasonsKey ? [] : [`${JSON.stringify(key)}:${write(values[i] ?? null)}`]
  )
  return `{${[...(reasons === undefined ? [] : [`${JSON.stringify(reasonsKey)}:${reasons}`]), ...members].join(",")}}`
}

const entriesOf = ({ findings, reading }: RefusedDocument): ReadonlyArray<string> => {
  const reasons = findings.length === 0 ? undefined : JSON.stringify(findings.map(reasonOf))
  if (reading instanceof XeroDocument) {
    return reading.kept.map((kept, i) => recordWith(kept, i === 0 ? reasons : undefined))
  }
  return [recordWith(reading instanceof Unplaced ? reading.kept : undefined, reasons)]
}

/** Writes a JSON array with one record per text line, in input order. */
export const writeRefused = (refused: Stream.Stream<RefusedDocument>): Stream.Stream<Uint8Array> =>
  refused.pipe(
    Stream.flatMap((document) => Stream.fromIterable(entriesOf(document))),
    Stream.intersperseAffixes({ start: "[\n", middle: ",\n", end: "\n]\n" }),
    Stream.encodeText
  )
