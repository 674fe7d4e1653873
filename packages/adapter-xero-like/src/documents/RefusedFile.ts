/**
 * Writer of refused documents: the export's own records as JSON with the reasons, to correct and
 * import again.
 */
import { reasonOf, recordWith } from "@fiscal-connector/adapter-kit/unstable/RefusedFile"
import { originOf } from "@fiscal-connector/adapter-kit/unstable/Session"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { RefusedDocument } from "@fiscal-connector/core/source/Adapter"
import { Stream } from "effect"
import { elsewhere, release } from "./RefusedBefore.ts"
import { XeroDocument } from "./XeroDocument.ts"

const withRelease = (finding: Finding): Finding =>
  elsewhere.has(finding.code) && !finding.fix.includes(release)
    ? { ...finding, fix: `${finding.fix} If the document is correct in this file, ${release}.` }
    : finding

/** Returns the records of the document; an empty record for text that is not JSON. */
const recordsOf = (reading: RefusedDocument["reading"]): ReadonlyArray<string> => {
  if (reading instanceof XeroDocument) return reading.kept.map(({ json }) => json)
  return [(reading._tag === "Finding" ? originOf.get(reading)?.json : undefined) ?? "{}"]
}

const entriesOf = ({ findings, reading }: RefusedDocument): ReadonlyArray<string> => {
  const reasons =
    findings.length === 0 ? undefined : JSON.stringify(findings.map((finding) => reasonOf(withRelease(finding))))
  return recordsOf(reading).map((json, i) => recordWith(json, i === 0 ? reasons : undefined))
}

/** Writes a JSON array with one record per text line, in input order. */
export const writeRefused = (refused: Stream.Stream<RefusedDocument>): Stream.Stream<Uint8Array> =>
  refused.pipe(
    Stream.flatMap((document) => Stream.fromIterable(entriesOf(document))),
    Stream.intersperseAffixes({ start: "[\n", middle: ",\n", end: "\n]\n" }),
    Stream.encodeText
  )
