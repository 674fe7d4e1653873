/** Renders the page of a code in docs/errors, and the index of all codes. */
import type { CodeEntry } from "@fiscal-connector/core/unstable/codes/CodeEntry"
import type { Severity } from "@fiscal-connector/core/finding/FindingCode"
import * as Call from "../output/Call.ts"
import * as NextStep from "../output/NextStep.ts"

const severities: Readonly<Record<Severity, string>> = {
  error: "An error: the subject of the error is refused.",
  warning: "A warning: it is shown, and the document is sent."
}

/** Returns the entry's page. The commands leave out the flags for store and configuration. */
export const toMarkdown = ({ alias, code, consequence, fix, group, meaning, severity, steps }: CodeEntry): string => {
  const next = NextStep.callsFor(steps, Call.make([]))
  return (
    [
      `# ${code}`,
      `${meaning}.`,
      [
        `${group}${alias === undefined ? "" : `, shown as \`${alias}\``}.`,
        ...(severity === undefined ? [] : [severities[severity]])
      ].join(" "),
      `**What follows.** ${consequence}`,
      `**What to do.** ${fix}`,
      ...(next.length === 0 ? [] : [next.map((line) => `- \`${line}\``).join("\n")]),
      `\`connector why ${code}\` prints this page. [All codes](README.md)`,
      ""
    ]
      .join("\n\n")
      .trimEnd() + "\n"
  )
}

/** Returns the index of all codes by group. */
export const toIndex = (entries: ReadonlyArray<CodeEntry>): string =>
  [
    "# Codes",
    "The meaning, consequence and remedy of every finding, rule, stop and error. Written by `pnpm run docs` from the catalogues in the sources; `connector why CODE` prints one.",
    ...Array.from(
      Map.groupBy(entries, ({ group }) => group),
      ([group, ofGroup]) =>
        `## ${group}\n\n| code | meaning |\n|---|---|\n${ofGroup.map(({ code, meaning }) => `| [${code}](${code}.md) | ${meaning.replaceAll("|", "\\|")} |`).join("\n")}`
    )
  ].join("\n\n") + "\n"
