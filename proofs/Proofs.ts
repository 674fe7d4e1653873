/**
 * All proofs by name: the tests of each, its unit of work, and the units of a sample and of a full
 * run.
 */

export interface Proof {
  /** File or folder of tests below proofs/. */
  readonly file: string
  readonly says: string
  /**
   * Unit that `--count` counts. Most units have separate seeds: `--seed`, `--seed` + 1, and so on.
   */
  readonly unit: string
  /** Units of `pnpm proofs`; 0 if CI has no time for the proof. */
  readonly sample: number
  /** Units of `pnpm proofs:full`. */
  readonly full: number
}

export const proofs = {
  "csv-corpus": {
    file: "csv/Corpus.test.ts",
    says: "generated CSV files of known content are read right or asked about, and never guessed wrong",
    unit: "files",
    sample: 300,
    full: 5000
  },
  "csv-damaged": {
    file: "csv/Fuzz.test.ts",
    says: "damaged CSV files end in readings or a question, and each fault has a position",
    unit: "files",
    sample: 1000,
    full: 100_000
  },
  "csv-stated": {
    file: "csv/Stated.test.ts",
    says: "a figure that the CSV export contradicts is not sent",
    unit: "files for each format and kind",
    sample: 10,
    full: 1250
  },
  remedies: {
    file: "csv/Remedies.test.ts",
    says: "each answer that a question about an altered CSV export offers leaves fewer refusals, or others",
    unit: "altered files",
    sample: 100,
    full: 20_000
  },
  "csv-encodings": {
    file: "csv/LegacyEncodings.test.ts",
    says: "no text in a legacy encoding is read as another text, and few Western files are asked",
    unit: "files for each encoding and language",
    sample: 10,
    full: 400
  },
  honest: {
    file: "business/Honest.test.ts",
    says: "a firm's documents in 13 known layouts, unknown tables and other shapes are planned as charged",
    unit: "documents, 8 in a file",
    sample: 416,
    full: 20_000
  },
  kinds: {
    file: "kinds/Kinds.test.ts",
    says: "documents that are not sales are none without an answer, in 17 languages, at each place, in every host",
    unit: "lists, each of one kind with its word at one place",
    sample: 30,
    full: 20_000
  },
  conversations: {
    file: "conversations/EndsAndKeeps.test.ts",
    says: "the conversation about a file ends with every operator, and loses no answer that it does not name",
    unit: "files",
    sample: 20,
    full: 5000
  },
  hosts: {
    file: "conversations/Hosts.test.ts",
    says: "the same answers give the same map, book and plan through command, terminal, promise package and page",
    unit: "files",
    sample: 2,
    full: 500
  },
  "printed-steps": {
    file: "conversations/PrintedSteps.test.ts",
    says: "every printed command, pasted where it was printed, leads on to a file that is sent whole and once",
    unit: "files in a folder, each with one call",
    sample: 3,
    full: 1000
  },
  "three-ways": {
    file: "business/ThreeWays.test.ts",
    says: "documents, an export file and a live source of one firm's books have one report after each change",
    unit: "histories of 12 changes",
    sample: 3,
    full: 2000
  },
  identity: {
    file: "business/Identity.test.ts",
    says: "series of numbers raise no questions, and exports written again are not sent without one",
    unit: "invoices in each of 20 series",
    sample: 300,
    full: 10_000
  },
  words: {
    file: "words/Words.test.ts",
    says: "a word in any further column or field of any layout that contradicts the document keeps it from being sent",
    unit: "words in a column or field, drawn from all",
    sample: 260,
    full: 130_000
  },
  statements: {
    file: "words/Statements.test.ts",
    says: "a column or field of any fixture under an unknown name is named, asked or refused, in every format and layout",
    unit: "renamed or added columns and fields in one form, drawn from all",
    sample: 400,
    full: 1_000_000
  },
  planted: {
    file: "planted/Planted.test.ts",
    says: "a mistake planted in an adapter is noticed by reviewed facts, and facts drafted from it never pass",
    unit: "mistakes for each of seven adapters",
    sample: 2,
    full: 20
  },
  "cell-time": {
    file: "cells/CellTime.test.ts",
    says: "twice as long a cell costs about twice the CPU time, in every field of every adapter",
    unit: "texts for each field",
    sample: 1,
    full: 38
  },
  "pattern-time": {
    file: "cells/PatternTime.test.ts",
    says: "no regular expression of the sources takes more than linear time",
    unit: "runs",
    sample: 1,
    full: 1
  },
  "slow-clients": {
    file: "listeners/",
    says: "600 connections of slow clients keep no signed delivery from its answer within 2 s",
    unit: "kinds of slow clients",
    sample: 2,
    full: 5
  },
  output: {
    file: "output/",
    says: "no command prints or drafts a character that a terminal obeys, with such characters in every name and cell",
    unit: "hostile texts",
    sample: 1,
    full: 3
  },
  recorded: {
    file: "recorded/",
    says: "commands do what was recorded: output, exit code, files and every byte of every request, and pages",
    unit: "runs",
    sample: 0,
    full: 1
  },
  faults: {
    file: "gateway/FaultMatrix.test.ts",
    says: "the client takes every fault of the sandbox for what it is, in writes, reads and repeated reads",
    unit: "runs",
    sample: 1,
    full: 1
  },
  "answers-random": {
    file: "gateway/RandomAnswers.test.ts",
    says: "mutated answers of the gateway decode, are malformed, or leave the outcome unknown; nothing crashes",
    unit: "answers to reads, and as many to writes",
    sample: 2000,
    full: 100_000
  },
  "xlsx-corpus": {
    file: "xlsx/Corpus.test.ts",
    says: "generated workbooks give the documents of their CSV files, or ask less",
    unit: "workbooks",
    sample: 120,
    full: 2000
  },
  "xlsx-damaged": {
    file: "xlsx/Damaged.test.ts",
    says: "damaged workbooks are refused or read as before the damage",
    unit: "workbooks",
    sample: 150,
    full: 20_000
  },
  "xero-laws": {
    file: "xero/Laws.test.ts",
    says: "Xero-shaped exports have the sums of the device, and each document is sent once",
    unit: "exports for each rounding policy",
    sample: 2,
    full: 12
  },
  "xero-stated": {
    file: "xero/Stated.test.ts",
    says: "a figure that the Xero-shaped export contradicts is not sent",
    unit: "documents of each kind",
    sample: 25,
    full: 1200
  },
  "xero-damaged": {
    file: "xero/Fuzz.test.ts",
    says: "damaged Xero-shaped exports end in readings, findings or an error with a position",
    unit: "files",
    sample: 4000,
    full: 200_000
  },
  "joined-stated": {
    file: "joined/Stated.test.ts",
    says: "a figure that a QuickBooks-, Odoo- or ERPNext-shaped export contradicts is not sent",
    unit: "documents of each system",
    sample: 60,
    full: 2000
  },
  sync: {
    file: "sync/SyncLaws.test.ts",
    says: "a source that is read live while people work in it: every issued document is accounted for, each is sent once",
    unit: "trials of a dozen runs",
    sample: 1,
    full: 300
  },
  "sync-client": {
    file: "sync/VendorClient.test.ts",
    says: "the accounting system of the tests satisfies the vendor's own client",
    unit: "run",
    sample: 1,
    full: 1
  },
  "sync-tenants": {
    file: "sync/Tenants.test.ts",
    says: "three companies read live through eleven faults by processes that are killed: nothing lost, sent twice or stale",
    unit: "runs of sync",
    sample: 0,
    full: 41
  },
  "sync-mutants": {
    file: "sync/SyncMutants.test.ts",
    says: "the laws of a source that is read live find planted mistakes",
    unit: "trials for each mistake, at most",
    sample: 0,
    full: 60
  },
  erpnext: {
    file: "erpnext/ErpnextExports.test.ts",
    says: "an ERPNext-shaped export is planned at what the customer was charged: none wrong, none refused",
    unit: "exports of two to ten documents",
    sample: 150,
    full: 2000
  },
  device: {
    file: "device/DeviceComparison.test.ts",
    says: "the device marks no document that preflight passes, and marks each one that preflight refuses",
    unit: "batches of 40 documents for each of two devices",
    sample: 8,
    full: 125
  },
  "device-off": {
    file: "device/DeviceOff.test.ts",
    says: "a device that is off after 30 documents fails the few sent before it could be seen; one act sends them",
    unit: "documents",
    sample: 120,
    full: 10_000
  },
  "crash-matrix": {
    file: "crash/CrashMatrix.test.ts",
    says: "a process that accepts and sends an import is killed: nothing is lost and nothing sent twice",
    unit: "points of the matrix",
    sample: 12,
    full: 1626
  },
  "crash-matrix-postgres": {
    file: "crash/OnPostgres.test.ts",
    says: "the same with the store in PostgreSQL",
    unit: "points of the matrix",
    sample: 4,
    full: 1626
  },
  "one-report": {
    file: "report/OneReport.test.ts",
    says: "the README's job, the Effect example and the command report the same about every document under faults",
    unit: "faults, each over all three",
    sample: 14,
    full: 840
  },
  chaos: {
    file: "chaos/Chaos.test.ts",
    says: "three processes on one store survive kills, full disks, older copies, held requests and lies of the gateway",
    unit: "minutes",
    sample: 0,
    full: 30
  },
  "chaos-postgres": {
    file: "chaos/OnPostgres.test.ts",
    says: "the same with the store in PostgreSQL, which is killed and put back under its workers",
    unit: "minutes",
    sample: 0,
    full: 15
  },
  workers: {
    file: "workers/Workers.test.ts",
    says: "four workers on PostgreSQL lose nothing when one is killed, one is told to stop and one freezes",
    unit: "documents",
    sample: 240,
    full: 2000
  },
  "workers-engines": {
    file: "workers/EngineWorkers.test.ts",
    says: "the same when pg-boss or a cluster hands out the lanes",
    unit: "documents",
    sample: 240,
    full: 2000
  },
  simulator: {
    file: "simulator/Days.test.ts",
    says: "days of the whole connector under virtual time hold every law",
    unit: "days",
    sample: 5,
    full: 5000
  },
  "simulator-regressions": {
    file: "simulator/Regressions.test.ts",
    says: "days that broke a law once hold every law now",
    unit: "days of the list",
    sample: 6,
    full: 100
  },
  "simulator-mutants": {
    file: "simulator/Mutants.test.ts",
    says: "the laws of the simulator catch planted mistakes",
    unit: "days for each mistake, at most",
    sample: 0,
    full: 2000
  },
  model: {
    file: "simulator/Model.test.ts",
    says: "the model of sending gives no document two receipts, and two without any one of its guards",
    unit: "runs",
    sample: 1,
    full: 1
  },
  chronology: {
    file: "engine/Chronology.test.ts",
    says: "refused, late, unknown and credit-note documents mark no receipt for its date or number",
    unit: "batches on one device",
    sample: 300,
    full: 10_000
  },
  "clean-months": {
    file: "engine/CleanMonths.test.ts",
    says: "the account of a firm without a fault names no difference",
    unit: "documents in each of ten worlds",
    sample: 40,
    full: 10_000
  },
  "late-guard": {
    file: "late/",
    says: "a plan names as late exactly the refused documents that are late in the next run and were not before",
    unit: "plans",
    sample: 40,
    full: 10_000
  },
  answers: {
    file: "answers/Answers.test.ts",
    says: "each changed answer of the gateway leads to what its table says, and to no colored receipt",
    unit: "changed answers",
    sample: 100,
    full: 3062
  },
  credits: {
    file: "credits/Credits.test.ts",
    says: "invoices that were voided, changed or credited after the receipt are credited once, by a decision, or an item",
    unit: "invoices, 8 in a run",
    sample: 40,
    full: 4000
  },
  prepared: {
    file: "credits/Prepared.test.ts",
    says: "a prepared note makes receipts and source equal to the cent for each tax, and the device marks none",
    unit: "invoices with notes and changes of the books",
    sample: 3000,
    full: 20_000
  },
  histories: {
    file: "histories/Histories.test.ts",
    says: "documents about which the gateway says anything for up to three hours get one receipt, and each gets one",
    unit: "histories, 40 in a run",
    sample: 80,
    full: 2000
  },
  evidence: {
    file: "evidence/Evidence.test.ts",
    says: "real processes behind a proxy that alters answers: each document gets one receipt",
    unit: "ways to a second receipt",
    sample: 1,
    full: 11
  },
  "damaged-rows": {
    file: "store/DamagedRows.test.ts",
    says: "a damaged value in any column of the store is an error with the place, never a defect",
    unit: "damages, each of one column by one of three values",
    sample: 150,
    full: 2000
  },
  upgrade: {
    file: "upgrade/Upgrade.test.ts",
    says: "stores of former versions are opened: nothing in them is sent twice, and nothing is stranded",
    unit: "runs",
    sample: 1,
    full: 1
  },
  memory: {
    file: "memory/",
    says: "what is let go is collected soon, and hostile workbooks and large exports take little memory",
    unit: "runs",
    sample: 1,
    full: 1
  },
  lasting: {
    file: "lasting/Lasting.test.ts",
    says: "work and serve keep their live heap, handles and log flat under load, and send each document once",
    unit: "seconds of load",
    sample: 0,
    full: 3600
  },
  growth: {
    file: "growth/",
    says: "time grows with the number of documents, not with its square",
    unit: "runs",
    sample: 1,
    full: 1
  },
  shop: {
    file: "shop/Life.test.ts",
    says: "a shop uses the connector from the first call to the PDFs, and every command was printed before",
    unit: "runs",
    sample: 1,
    full: 1
  },
  "printed-actions": {
    file: "actions/PrintedActions.test.ts",
    says: "every action that is printed for a fault settles its item when it is executed as printed",
    unit: "faults, each with every action of its items",
    sample: 2,
    full: 74
  },
  "page-items": {
    file: "actions/PageItems.test.ts",
    says: "each open thing is one card of the page with an action that ends it or says what is awaited",
    unit: "drawn stores, and a fault for each 200 of them",
    sample: 400,
    full: 20_000
  },
  "page-totals": {
    file: "actions/PageTotals.test.ts",
    says: "every total of the page, the report and the plan is the signed sum of the documents, and groups add up",
    unit: "imports",
    sample: 2,
    full: 2000
  },
  "page-guards": {
    file: "actions/PageGuards.test.ts",
    says: "nothing is sent under a code that the gateway maps otherwise than shown, or by a form older than its check",
    unit: "orders of eight steps",
    sample: 4,
    full: 500
  },
  "page-large": {
    file: "actions/PageLarge.test.ts",
    says: "the page answers at once while a large import is sent: progress, first receipt, time left, rejections",
    unit: "documents",
    sample: 0,
    full: 10_000
  },
  "page-walks": {
    file: "actions/PageWalks.test.ts",
    says: "an import of the page is its last choices: a look changes nothing, and the way there leaves no trace",
    unit: "walks of six steps",
    sample: 2,
    full: 2000
  },
  pasted: {
    file: "actions/Pasted.test.ts",
    says: "every printed command and every form of the page, pasted without a look, makes no second receipt",
    unit: "generated situations",
    sample: 1,
    full: 200
  },
  process: {
    file: "process/",
    says: "the command as a process: terminals, closed pipes, full disks, signals, and a proxy that holds its requests",
    unit: "runs",
    sample: 1,
    full: 1
  },
  start: {
    file: "start/",
    says: "an export of a system that nobody here knows comes to a plan in one conversation on a terminal",
    unit: "files, each unlike the others",
    sample: 2,
    full: 7
  },
  program: {
    file: "program/Program.test.ts",
    says: "the command prints and ends the same in the process of a test and in a process of its own",
    unit: "runs",
    sample: 1,
    full: 1
  },
  bundles: {
    file: "promise/Bundle.test.ts",
    says: "a job that a bundler packed fiscalises a document",
    unit: "runs",
    sample: 1,
    full: 1
  },
  docs: {
    file: "docs/Pages.test.ts",
    says: "each page of docs can be followed as it is written (pnpm consumers follows the README)",
    unit: "runs",
    sample: 1,
    full: 1
  },
  examples: {
    file: "docs/Examples.test.ts",
    says: "each program of examples runs and prints what its page shows",
    unit: "test runners of the example job",
    sample: 1,
    full: 2
  },
  api: {
    file: "api/ApiReport.test.ts",
    says: "docs/api is the public surface of the packages, and each name has a docstring",
    unit: "runs",
    sample: 1,
    full: 1
  }
} as const satisfies Readonly<Record<string, Proof>>

export type ProofName = keyof typeof proofs
