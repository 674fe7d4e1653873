/** What a code that a person may meet means: one entry each, printed by `connector why CODE` and kept as docs/errors/CODE.md. */
import type { Severity } from "../finding/FindingCode.ts"

export interface CodeEntry {
  readonly code: string
  /** The word that is shown in its place, where that is another: `credentials` for LANE_CREDENTIALS. */
  readonly alias?: string
  /** What kind of thing has the code, as "Finding about a CSV export". */
  readonly group: string
  /** Absent where nothing is refused or shown by it. */
  readonly severity?: Severity
  readonly meaning: string
  readonly consequence: string
  readonly fix: string
}

const severities: Readonly<Record<Severity, string>> = {
  error: "An error: what it is about is refused.",
  warning: "A warning: it is shown, and the document goes on."
}

/** The entry's page. */
export const toMarkdown = ({ alias, code, consequence, fix, group, meaning, severity }: CodeEntry): string =>
  [
    `# ${code}`,
    `${meaning}.`,
    [
      `${group}${alias === undefined ? "" : `, shown as \`${alias}\``}.`,
      ...(severity === undefined ? [] : [severities[severity]])
    ].join(" "),
    `**What follows.** ${consequence}`,
    `**What to do.** ${fix}`,
    `\`connector why ${code}\` prints this page. [All codes](README.md)`,
    ""
  ]
    .join("\n\n")
    .trimEnd() + "\n"

/** The page of all codes, group by group. */
export const toIndex = (entries: ReadonlyArray<CodeEntry>): string =>
  [
    "# Codes",
    "What every finding, rule, stop and error means, what follows from it and what to do. Written by `pnpm run docs` from the catalogues in the sources; `connector why CODE` prints one.",
    ...Array.from(
      Map.groupBy(entries, ({ group }) => group),
      ([group, ofGroup]) =>
        `## ${group}\n\n| code | meaning |\n|---|---|\n${ofGroup.map(({ code, meaning }) => `| [${code}](${code}.md) | ${meaning.replaceAll("|", "\\|")} |`).join("\n")}`
    )
  ].join("\n\n") + "\n"

/** The entry a person means, whatever the case; by its code, or by the word shown in its place. */
export const find = (entries: ReadonlyArray<CodeEntry>, named: string): CodeEntry | undefined => {
  const wanted = named.trim().toLowerCase()
  return (
    entries.find(({ code }) => code.toLowerCase() === wanted) ??
    entries.find(({ alias }) => alias?.toLowerCase() === wanted)
  )
}
