/**
 * Checks comments, names of tests, texts for users and Markdown against docs/style.md: first words
 * of sentences, words that we do not use, and line lengths; and sources for values that are
 * recognized by the class of another package. Part of `pnpm lint`.
 *
 *     node scripts/style.ts [PATH…]
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Classes from "./style/Classes.ts"
import * as Passages from "./style/Passages.ts"
import * as Rules from "./style/Rules.ts"
import * as Sources from "./style/Sources.ts"

const checked = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "docs",
  "examples",
  ":(glob)*.ts",
  ":(glob)packages/*/src/**",
  ":(glob)packages/*/test/**",
  ":(glob)packages/ui/browser/**",
  ":(glob)packages/*/README.md",
  "scripts",
  "bench",
  "proofs",
  "tools"
]

/** Generated pages, legal texts, test data, and copies of the interface's own words. */
const leftOut =
  /^docs\/((api|errors|page|schemas)\/|(licenses|assumptions|capabilities)\.md)|\/golden\/|\/fixtures\/|^packages\/sandbox\/test\/interface-tables\.md$|^proofs\/simulator\/mutants\.md$/

const paths = process.argv.length > 2 ? process.argv.slice(2) : checked

const files = Sources.files(...paths).filter((file) => /\.(ts|md)$/.test(file) && !leftOut.test(file))

let problems = 0
for (const file of files) {
  const source = readFileSync(join(Sources.root, file), "utf8")
  const isMarkdown = file.endsWith(".md")
  const isSource = /^packages\/[^/]+\/src\//.test(file)
  const names = file.endsWith(".test.ts") ? Passages.testNames(source) : []
  const passages = isMarkdown ? Passages.paragraphs(source) : [...Passages.comments(source), ...names]
  const found = [
    ...passages.flatMap((passage) => Rules.ofWords(passage, "with its subject")),
    ...(isSource ? Passages.userTexts(source).flatMap((passage) => Rules.ofWords(passage, "freely")) : []),
    ...Rules.ofLength(source, isMarkdown ? "markdown" : "comment"),
    ...(isSource ? Classes.ofOthers(source) : [])
  ]
  problems += found.length
  for (const { at, text } of found.toSorted((a, b) => a.at - b.at)) process.stderr.write(`${file}:${at}: ${text}\n`)
}
if (problems > 0) {
  process.stderr.write(`${problems} places to correct (docs/style.md)\n`)
  process.exitCode = 1
}
