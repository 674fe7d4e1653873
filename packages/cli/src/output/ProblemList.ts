/**
 * Lists the problems of a file written by the user: each place on a separate text line, under its
 * cause.
 */
import { type Finding, Provenance } from "@fiscal-connector/core/adapter"
import { printable } from "./Terminal.ts"

export const problemList = (findings: ReadonlyArray<Finding.Finding>): string =>
  Array.from(Map.groupBy(findings, ({ code }) => code).values(), (ofCode) => {
    const { code, consequence, fix, severity } = ofCode[0]!
    const places = ofCode
      .toSorted(byPlace)
      .map(({ at, detail, message }) =>
        printable(`    ${[at === undefined ? "" : Provenance.format(at), message, detail].filter(Boolean).join("  ")}`)
      )
    return [`  ${code} (${severity})`, ...places, `    → ${consequence}`, `    → ${fix}`].join("\n")
  }).join("\n\n")

const byPlace = ({ at: a }: Finding.Finding, { at: b }: Finding.Finding): number =>
  (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0)
