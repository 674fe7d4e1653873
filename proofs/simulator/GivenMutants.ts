/** Mutations of what is asked, kept and reported of the documents that were given. */
import type { Mutant } from "./Mutants.ts"

const core = "core/src"
const ofSource = "../../promise/test/SourceSync.test.ts"
const beside = "is not ok while a document of the account that another way handed over is on its way"
const known = "reports an error of reading a fiscalised document as one of a new document, and reads it again"
const refused = "import/RefusedDocuments.test.ts"

export const givenMutants: ReadonlyArray<Mutant> = [
  {
    name: "an equal fold raises no question",
    file: `${core}/submission/ledger/SameSale.ts`,
    test: ["store/SameSales.test.ts", "is held with the number, the day and the state of the known document"],
    edits: [['return found.length === 0 ? "nothing" :', "return found.length === 0 ? null :"]]
  },
  {
    name: "an invoice that was fiscalised elsewhere is sent",
    file: `${core}/store/planning/SameSales.ts`,
    test: ["import/KnownSales.test.ts", "skips what is registered as fiscalised elsewhere"],
    edits: [["s.id = o.invoice_id and s.state <> 'Withdrawn')", "s.id = o.invoice_id) and 1 = 0"]]
  },
  {
    name: "a replacement of a document with a receipt is sent alone",
    file: `${core}/store/planning/Replacements.ts`,
    test: [
      "sending/Replacements.test.ts",
      "that was sent holds its replacement, until credit notes take its whole total"
    ],
    edits: [["return text === null ||", "return text !== null ||"]]
  },
  {
    name: "a silent export ends what was refused",
    file: `${core}/session/RefusedNotes.ts`,
    test: [refused, "needs no attention once it is taken, and a silent export ends nothing"],
    edits: [["const ended = [...(yield* plan", "const ended = [...before, ...(yield* plan"]]
  },
  {
    name: "attention lacks what was refused",
    file: `${core}/attention/Attention.ts`,
    test: [refused, "needs attention, one item for each cause, however often it is given"],
    edits: [["...health.refused.map(notTaken)", "...health.refused.slice(0, 0).map(notTaken)"]]
  },
  {
    name: "documents without a name are one refused document",
    file: `${core}/import/RefusedRows.ts`,
    test: [refused, "without an id and a number is another document with another content, also for its dismissal"],
    edits: [['named === "" ? { ...row, id: row.fingerprint } : row', "row"]]
  },
  {
    name: "an error of reading a known document leaves no work",
    file: `${core}/session/RunReport.ts`,
    test: [ofSource, known],
    edits: [["changed !== null || isWrong", "changed !== null"]]
  },
  {
    name: "an error of reading a known document is no change",
    file: `${core}/pull/Outcomes.ts`,
    test: [ofSource, known],
    edits: [['(entry._tag === "Known" && errors.length > 0)', '(entry._tag === "Known" && errors.length > 1e6)']]
  },
  {
    name: "a run of a source is done while documents of the account are on their way",
    file: `${core}/pull/Sync.ts`,
    test: [ofSource, beside],
    edits: [["(settlement?.open ?? 0) > 0", "(settlement?.open ?? 0) < 0"]]
  },
  {
    name: "a sync of documents is done while documents of the account are on their way",
    file: "promise/src/internal/syncReport.ts",
    test: [ofSource, beside],
    edits: [["isClean && open === 0 &&", "isClean &&"]]
  },
  {
    name: "another file with the same settings is the import that is not over",
    file: `${core}/session/Acceptance.ts`,
    test: ["import/BesideEachOther.test.ts", "is that import only with the same files"],
    edits: [["files.map(({ sha256 }) => sha256).toSorted()", "files.map(() => adapter).slice(0, 0)"]]
  },
  {
    name: "a document that is late already stops the others again",
    file: `${core}/import/StagedDates.ts`,
    test: ["import/LateGuard.test.ts", "leaves out a document that an earlier import has made late"],
    edits: [["return isLate(later(own)) && !isLate(own)", "return isLate(later(own))"]]
  },
  {
    name: "a document of the day of the last receipt becomes late",
    file: `${core}/import/StagedDates.ts`,
    test: ["import/LateGuard.test.ts", "leaves out a document of the day of the last receipt"],
    edits: [
      ["const at = Instant.fromSeconds(last, book.zone)", "const at = Instant.fromSeconds((last += 86_400), book.zone)"]
    ]
  }
]
