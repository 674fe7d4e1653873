/**
 * Rooms of the packages, from the ground up: a room imports only rooms that precede it in this
 * file.
 */

export interface Room {
  readonly what: string
  /** Rooms that the room may import. An addition is a design decision. */
  readonly imports: ReadonlyArray<string>
}

/**
 * A room is a folder of `src`. Rooms inside a room are its floors, and only `store` opens its
 * floors to others.
 */
export type Rooms = Readonly<Record<string, Room>>

const contract = ["document", "gateway/contract"]
const operations = [...contract, "gateway/exchange", "gateway/operation"]
const evidence = ["document", "finding", "gateway/contract", "gateway/operation", "submission/ledger"]
const rows = ["submission", "submission/ledger", "document", "store/rows", "store/database"]

export const coreRooms: Rooms = {
  file: {
    what: "file access: atomic writes, locks, rejection of pipes and devices",
    imports: []
  },
  document: {
    what: "invoice, credit note, exact money, dates; the one codec between our names and the wire's",
    imports: []
  },
  finding: {
    what: "findings, the catalogue of codes, the receipt rules of the device, and the place of a value in an export",
    imports: ["document"]
  },
  source: {
    what: "the source document, the adapter's port, the check of incoming readings, the fingerprint",
    imports: ["document", "finding"]
  },
  profile: {
    what: "the meaning of a table's number columns by their values alone: equations of rows, documents and the file",
    imports: ["document"]
  },
  "gateway/contract": {
    what: "operations by name, settings, assumption switches, errors and what each error proves",
    imports: ["document"]
  },
  "gateway/assumption": { what: "the register of assumptions", imports: contract },
  "gateway/exchange": {
    what: "one request and its response: signing, transfer progress, retries of reads, redaction, the gateway's clock",
    imports: contract
  },
  "gateway/operation": { what: "request and response of each operation", imports: operations },
  "gateway/internal": {
    what: "the two requests that fiscalize, available only with a permission to send",
    imports: operations
  },
  gateway: { what: "the gateway's operations for one account", imports: [...operations, "gateway/internal"] },
  "submission/ledger": {
    what: "read access to what was sent: the port, the mark, originals, stored values and documents, errors of a store",
    imports: ["document"]
  },
  submission: {
    what: "a submission: states, attempts, outcomes, lanes; the port of the store",
    imports: evidence
  },
  mapping: {
    what: "the mapping book, and its comparison with the gateway's mappings",
    imports: ["file", "document", "finding", "gateway", "gateway/contract", "gateway/operation"]
  },
  translate: {
    what: "source document and book to fiscal document; each decision is a named policy",
    imports: ["document", "finding", "source", "mapping"]
  },
  dating: {
    what: "receipt dates: the dates of a batch, new dates after a change of the mark, the last permitted date",
    imports: ["document", "finding", "mapping", "translate", "submission/ledger"]
  },
  credit: {
    what: "credit notes and their originals: the rules between both, the originals that an operator names",
    imports: ["document", "finding", "source", "mapping", "translate", "submission/ledger"]
  },
  preflight: {
    what: "the device's rules",
    imports: [
      "document",
      "finding",
      "source",
      "gateway/contract",
      "gateway/operation",
      "submission/ledger",
      "mapping",
      "translate",
      "credit"
    ]
  },
  account: {
    what: "the permission to send for one account, what it permits, and everything that blocks it",
    imports: [...evidence, ...operations, "gateway", "gateway/internal", "preflight", "submission"]
  },
  day: {
    what: "the fiscal day: checks of Z-report counters, and their comparison with what was sent",
    imports: [...evidence, "gateway", "submission", "mapping", "translate", "preflight", "account"]
  },
  attention: {
    what: "the one definition of documents that need an operator, with the remedy of each; checks before anything is sent",
    imports: [
      ...evidence,
      ...operations,
      "gateway",
      "gateway/assumption",
      "submission",
      "mapping",
      "preflight",
      "account",
      "day"
    ]
  },
  sending: {
    what: "sending: the run of a lane, its stops and back-off, the poll for outcomes, deliveries of the gateway, runs over several accounts",
    imports: [...evidence, "gateway/exchange", "gateway/internal", "submission", "account", "day", "attention"]
  },
  "store/rows": { what: "decoding of stored rows and values", imports: [...evidence, "submission"] },
  "store/database/migrations": {
    what: "steps from every earlier schema to this one",
    imports: ["document", "store/rows"]
  },
  "store/database": {
    what: "the schema, transactions, group commit, dialects",
    imports: [
      "submission",
      "submission/ledger",
      "document",
      "gateway/contract",
      "store/rows",
      "store/database/migrations"
    ]
  },
  "store/lanes": {
    what: "leases, the head of a lane and its waits, the start of an attempt, stored originals, changes of state",
    imports: [...rows, "dating", "credit"]
  },
  "store/evidence": {
    what: "the end of an attempt: responses, outcomes, operator statements",
    imports: [...rows, "gateway/operation", "store/lanes"]
  },
  "store/planning": {
    what: "planning, revisions, the queries of the ledger",
    imports: [...rows, "dating", "store/lanes", "store/evidence"]
  },
  "store/queries": {
    what: "read queries: lists, one submission, health",
    imports: [...rows, "gateway/contract", "store/lanes", "store/evidence"]
  },
  store: {
    what: "the store on SQL, one schema for both engines",
    imports: [...rows, "store/lanes", "store/evidence", "store/planning", "store/queries"]
  },
  import: {
    what: "a batch: its documents in the staging file, in the order of the export, until the plan",
    imports: [...evidence, "source", "submission", "mapping", "translate", "dating", "credit", "preflight", "account"]
  },
  question: {
    what: "everything open about an export, asked at once: questions, proposals and answers as data; the answers' file",
    imports: ["file", "document", "finding", "source", "mapping", "translate", "preflight"]
  },
  configuration: {
    what: "the file of accounts, its secrets, and the witness file next to it",
    imports: [
      "file",
      "document",
      "finding",
      "gateway/contract",
      "submission/ledger",
      "submission",
      "mapping",
      "account",
      "attention",
      "sending"
    ]
  },
  codes: {
    what: "every code of core, with its meaning",
    imports: [
      "finding",
      "source",
      "gateway/contract",
      "submission/ledger",
      "submission",
      "mapping",
      "translate",
      "dating",
      "credit",
      "preflight",
      "account",
      "day",
      "attention",
      "import",
      "configuration"
    ]
  },
  session: {
    what: "the only way to plan and to send: plan, consent, acceptance as a durable job, sending, report; a job's other functions",
    imports: [
      ...evidence,
      ...operations,
      "source",
      "gateway",
      "submission",
      "mapping",
      "translate",
      "credit",
      "preflight",
      "account",
      "day",
      "sending",
      "import",
      "configuration"
    ]
  },
  pull: {
    what: "live sources: the walk over their pages, their tokens, one run from pages to receipts, and a job that hands documents over",
    imports: [
      ...evidence,
      "file",
      "source",
      "submission",
      "mapping",
      "translate",
      "account",
      "attention",
      "sending",
      "import",
      "session"
    ]
  },
  node: {
    what: "parts that need Node: SQLite, PostgreSQL, the HTTP client, listeners",
    imports: [
      "file",
      "document",
      "gateway/contract",
      "gateway/exchange",
      "submission/ledger",
      "submission",
      "attention",
      "sending",
      "store",
      "import"
    ]
  }
}

/** Makes a flow, in which each room may import all preceding rooms. */
const flow = (rooms: Readonly<Record<string, string>>): Rooms =>
  Object.fromEntries(
    Object.entries(rooms).map(([room, what], at) => [room, { what, imports: Object.keys(rooms).slice(0, at) }])
  )

export const csvRooms: Rooms = flow({
  scan: "bytes to records",
  finding: "findings of the adapter about an export",
  values: "texts to money, dates, quantities",
  columns: "meaning of each column",
  formats: "known dialects and layouts",
  detect: "detection of a file's dialect and layout",
  rows: "records to rows",
  documents: "rows to source documents",
  propose: "a proposed column map for an unknown file"
})

export const xeroRooms: Rooms = flow({
  json: "bytes to JSON, with the place of every value",
  finding: "findings of the adapter about an export",
  options: "options of the caller",
  values: "fields, dates, contact details",
  records: "the records of a file, from any of its lists",
  joins: "facts about a document from other lists: contacts, accounts, payments",
  documents: "records to source documents",
  live: "live reading of the interface"
})

/** Rooms of the command. The composition, `ConnectorCommand` and `main`, is above all rooms. */
export const cliRooms: Rooms = flow({
  format: "the table of formats",
  support: "contents of a support bundle",
  output: "printed output and exit codes",
  why: "every code with its meaning",
  docs: "the pages of the documentation",
  adapter: "external adapters and kinds of sources: loading, options, and the modules they share with the command",
  account: "accounts, stores and permissions of a command",
  worker: "a worker that reports its work",
  import: "reading an export for a command, and the report of it",
  "command/import": "import",
  "command/start": "from an export to its plan: its format, its questions, its gateway",
  "command/gateway": "the gateway's own operations",
  "command/store": "queries of a store, and decisions in it",
  "command/sync": "live reading of an accounting system",
  command: "all other commands"
})

/** Rooms of the page. */
export const uiRooms: Rooms = flow({
  html: "the only code that makes HTML; pictures and styles",
  text: "all texts of the page",
  guard: "access control of the page, and the place of uploads",
  report: "the report, and the parts that it shares with the page",
  work: "imports of the page, and their sending",
  "page/part": "parts that several pages share, and the frame around all of them",
  page: "every page, made from data",
  serve: "the server: routes of pages, and actions of forms"
})

/** Rooms by package folder. */
export const rooms: Readonly<Record<string, Rooms>> = {
  core: coreRooms,
  "adapter-csv": csvRooms,
  "adapter-xero-like": xeroRooms,
  cli: cliRooms,
  ui: uiRooms
}
