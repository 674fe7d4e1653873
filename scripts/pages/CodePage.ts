/** Renders docs/errors: the index of all codes, and a page for each kind of code. */
import { anchorOf, type CodeEntry } from "../../packages/core/src/codes/CodeEntry.ts"
import type { Severity } from "../../packages/core/src/finding/FindingCode.ts"
import * as Call from "../../packages/cli/src/output/Call.ts"
import * as NextStep from "../../packages/cli/src/output/NextStep.ts"

const severities: Readonly<Record<Severity, string>> = {
  error: "An error: the subject of the error is refused.",
  warning: "A warning: it is shown, and stops nothing by itself."
}

/** Returns the file of a page, without the folder. */
const fileOf = (group: string): string =>
  `${group
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, "-")
    .replace(/-$/, "")}.md`

/** Returns the entry's section. The commands leave out the flags for store and configuration. */
const sectionOf = ({ alias, code, consequence, fix, meaning, severity, steps }: CodeEntry): string => {
  const next = NextStep.callsFor(steps, Call.make([]))
  const about = [
    ...(alias === undefined ? [] : [`Shown as \`${alias}\`.`]),
    ...(severity === undefined ? [] : [severities[severity]])
  ].join(" ")
  return [
    `## ${code}`,
    `${meaning}.`,
    ...(about === "" ? [] : [about]),
    `**What follows.** ${consequence}`,
    `**What to do.** ${fix}`,
    ...(next.length === 0 ? [] : [next.map((line) => `- \`${line}\``).join("\n")])
  ].join("\n\n")
}

const groupsOf = (entries: ReadonlyArray<CodeEntry>) => Map.groupBy(entries, ({ group }) => group)

/** Returns the page of each kind of code by its file, without the folder. */
export const toPages = (entries: ReadonlyArray<CodeEntry>): ReadonlyMap<string, string> =>
  new Map(
    Array.from(groupsOf(entries), ([group, ofGroup]) => [
      fileOf(group),
      [`# ${group}`, "`connector why CODE` prints one of them. [All codes](README.md)", ...ofGroup.map(sectionOf)].join(
        "\n\n"
      ) + "\n"
    ])
  )

const rowOf = ({ code, group, meaning }: CodeEntry): string => {
  const link = `<a id="${anchorOf(code)}"></a>[${code}](${fileOf(group)}#${anchorOf(code)})`
  return `| ${link} | ${meaning.replaceAll("|", "\\|")} |`
}

/** Returns the index of all codes by group, with an anchor for each code. */
export const toIndex = (entries: ReadonlyArray<CodeEntry>): string =>
  [
    "# Codes",
    "The meaning, consequence and remedy of every finding, rule, stop and error. Written by `pnpm run docs` from the catalogues in the sources; `connector why CODE` prints one.",
    ...Array.from(
      groupsOf(entries),
      ([group, ofGroup]) => `## ${group}\n\n| code | meaning |\n|---|---|\n${ofGroup.map(rowOf).join("\n")}`
    )
  ].join("\n\n") + "\n"
