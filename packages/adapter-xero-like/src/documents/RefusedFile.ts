/** Writes the export's refused records as JSON with the reasons, to correct and import again. */
import { reasonOf, recordWith } from "@fiscal-connector/adapter-kit/unstable/RefusedFile"
import { originOf } from "@fiscal-connector/adapter-kit/unstable/Session"
import type { Adapter, Finding } from "@fiscal-connector/core/adapter"
import { Stream } from "effect"
import { elsewhere, release } from "./RefusedBefore.ts"
import { XeroDocument } from "./XeroDocument.ts"

const withRelease = (finding: Finding.Finding): Finding.Finding =>
  elsewhere.has(finding.code) && !finding.fix.includes(release)
    ? { ...finding, fix: `${finding.fix} If the document is correct in this file, ${release}.` }
    : finding

const recordsOf = (reading: Adapter.RefusedDocument["reading"]): ReadonlyArray<string> => {
  if (reading instanceof XeroDocument) return reading.kept.map(({ json }) => json)
  return [(reading._tag === "Finding" ? originOf.get(reading)?.json : undefined) ?? "{}"]
}

const entriesOf = ({ findings, reading }: Adapter.RefusedDocument): ReadonlyArray<string> => {
  const reasons =
    findings.length === 0 ? undefined : JSON.stringify(findings.map((finding) => reasonOf(withRelease(finding))))
  return recordsOf(reading).map((json, i) => recordWith(json, i === 0 ? reasons : undefined))
}

export const writeRefused = (refused: Stream.Stream<Adapter.RefusedDocument>): Stream.Stream<Uint8Array> =>
  refused.pipe(
    Stream.flatMap((document) => Stream.fromIterable(entriesOf(document))),
    Stream.intersperseAffixes({ start: "[\n", middle: ",\n", end: "\n]\n" }),
    Stream.encodeText
  )
