/**
 * Permitted places of planted texts, each with its reason. In every other place, a planted text
 * fails its test file.
 */
import type { Kind } from "./Leaks.ts"
import type { Planted } from "./Planted.ts"

export interface Allowed {
  readonly kind: Kind
  readonly where: RegExp
  readonly may: ReadonlyArray<Planted["what"]>
  readonly because: string
}

const buyersIn = (kind: Kind, where: RegExp, because: string): Allowed => ({ kind, where, may: ["buyer"], because })

export const allowed: ReadonlyArray<Allowed> = [
  {
    kind: "file",
    where: /(^|\/|\.)(key|secret)(-of-\w+)?$/,
    may: ["secret"],
    because: "what `keyFile` and `secretFile` of a configuration point at"
  },
  buyersIn(
    "file",
    /^(?!.*(support-bundle|\.stores|accounts?|\.book)\.json$).*\.(csv|tsv|jsonl?|xlsx)$/,
    "exports, as the person has them, and refused rows and records of imports, which are for that person; " +
      "not what the connector writes as JSON for itself or for others"
  ),
  buyersIn(
    "file",
    / \(a database\)$/,
    "its tables are searched column by column; `connector forget` overwrites its bytes"
  ),
  buyersIn(
    "file",
    /\.(upload|html)$/,
    "what was uploaded to the page, for its owner alone, and the reports that a person hands on"
  ),
  buyersIn(
    "file",
    /(^|\/)(base\/\d+\/\d+|pg_wal\/[0-9A-F]{24})$/,
    "the files of a PostgreSQL server that a test stops, copies or breaks; its tables are searched column by column"
  ),
  buyersIn("file", /^examples\/.*\.ts$/, "copies of the examples, which invent them"),
  buyersIn("file", /^connector\.mjs$/, "a copy of the command, which has the documents that core offers to tests"),
  buyersIn("file", /^packages\/.*\/src\/.*\.ts$/, "copies of the sources, in which proofs plant mistakes"),
  buyersIn("table", /^fiscal_payload\.(buyer|body)$/, "what was sent, until `connector forget`"),
  buyersIn("table", /^fiscal_conflict\.body$/, "what the source states of a sent document, until `connector forget`"),
  buyersIn("table", /^fiscal_import_rest\.body$/, "what waits of an accepted import, until it is handed over"),
  buyersIn(
    "table",
    /^fiscal_import_page\.body$/,
    "the record of an import, document by document, until `connector forget`"
  ),
  buyersIn(
    "table",
    /^fiscal_(submission\.(said|rejection)|outcome\.detail|event\.text)$/,
    "the gateway's own words about a document, until `connector forget`"
  ),
  buyersIn("table", /^fiscal_submission\.hold_because$/, "a person's own words"),
  buyersIn("table", /^job(_common)?\.data$/, "a host's own queue, whose jobs carry documents"),
  buyersIn("table", /^(translation|statement|skipped|finding)\.\w+$/, "the staging of one import, which goes with it"),
  buyersIn(
    "process",
    /^stdout of connector (-q )?(imports?|plan|start|sync|explain|list)\b/,
    "the commands that show documents to a person"
  ),
  buyersIn(
    "process",
    /^stdout of (bash|script) /,
    "the same, typed into a shell as the docs say it, or into a terminal"
  ),
  buyersIn("error", /^NotHeld: /, "what the author of an adapter reads of the facts about its own fixtures")
]
