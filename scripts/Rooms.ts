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
const evidence = ["document", "finding", "gateway/contract", "gateway/operation", "ledger"]
const rows = ["submission", "ledger", "document", "store/rows", "store/database"]

export const coreRooms: Rooms = {
  file: {
    what: "files of people: written whole or not at all, by one process at a time, told from pipes",
    imports: []
  },
  document: {
    what: "Invoice, credit note, exact money, dates; the one codec between our names and the wire's",
    imports: []
  },
  finding: { what: "a finding, the catalogue of codes, and where in an export a value stands", imports: ["document"] },
  source: {
    what: "the source document, the adapter's port, the check of readings as they enter, the fingerprint",
    imports: ["file", "document", "finding"]
  },
  "gateway/contract": {
    what: "operations by name, settings, assumption switches, errors and what they prove",
    imports: ["document"]
  },
  "gateway/assumption": { what: "the register of assumptions and its pages", imports: contract },
  "gateway/exchange": {
    what: "one request and its answer: signing, how far it got, repeating reads, redaction, the gateway's clock",
    imports: contract
  },
  "gateway/operation": { what: "what each operation asks and what its answer means", imports: operations },
  "gateway/internal": {
    what: "the way to a submission, closed to everybody but the permission to send",
    imports: operations
  },
  gateway: { what: "the gateway's operations for one account", imports: [...operations, "gateway/internal"] },
  mapping: {
    what: "the mapping book, and its comparison with the gateway's mappings",
    imports: ["file", "document", "finding", "gateway", "gateway/contract", "gateway/operation"]
  },
  translate: {
    what: "source document and book to fiscal document; every policy that decides something, each by name",
    imports: ["document", "finding", "source", "mapping"]
  },
  ledger: {
    what: "what was sent, to be read: the port, the mark of a lane, stored values and documents, how a store fails",
    imports: ["document"]
  },
  preflight: {
    what: "the device's rules, and receipt dates",
    imports: [
      "document",
      "finding",
      "source",
      "gateway/contract",
      "gateway/operation",
      "mapping",
      "translate",
      "ledger"
    ]
  },
  submission: { what: "a submission: states, attempts, outcomes, lanes; the port of the store", imports: evidence },
  account: {
    what: "the permission to send for one account, what it permits, and everything that stands in its way",
    imports: [...evidence, ...operations, "gateway", "gateway/internal", "preflight", "submission"]
  },
  attention: {
    what: "the one definition of what will not become a receipt without an operator, and what to do about it",
    imports: ["finding", "ledger", "submission", "account"]
  },
  day: {
    what: "the fiscal day: Z-reports against themselves and against what was sent",
    imports: [...evidence, "gateway", "mapping", "translate", "preflight", "submission", "account"]
  },
  engine: {
    what: "what sends: lanes, the poll for outcomes, runs over several accounts",
    imports: [...evidence, "gateway/internal", "submission", "account", "attention", "day"]
  },
  webhook: {
    what: "deliveries of the gateway: signature, reading, taking",
    imports: [...evidence, "gateway/exchange", "submission"]
  },
  "store/rows": { what: "rows and words as they are stored, read back", imports: [...evidence, "submission"] },
  "store/database": {
    what: "transactions, group commit, dialects, migrations",
    imports: ["submission", "ledger", "document", "store/rows"]
  },
  "store/lanes": {
    what: "leases, the head of a lane, beginning an attempt, changes of state",
    imports: [...rows, "preflight"]
  },
  "store/evidence": {
    what: "what ends an attempt: answers, outcomes, a person's word",
    imports: [...rows, "gateway/operation", "store/lanes"]
  },
  "store/planning": {
    what: "planning, revisions, originals, the ledger's answers",
    imports: [...rows, "preflight", "store/lanes", "store/evidence"]
  },
  "store/queries": {
    what: "what is read of it: lists, one submission, health",
    imports: [...rows, "gateway/contract", "store/lanes", "store/evidence"]
  },
  store: {
    what: "the store on SQL, one schema for both engines",
    imports: [...rows, "store/lanes", "store/evidence", "store/planning", "store/queries"]
  },
  import: {
    what: "a batch: staging, credit notes and their originals, dating",
    imports: [...evidence, "source", "mapping", "translate", "preflight", "submission", "account"]
  },
  question: {
    what: "what is open about an export, asked at once: questions, proposals and answers as data",
    imports: ["document", "finding", "source", "mapping", "translate", "preflight"]
  },
  configuration: {
    what: "the file of accounts, its secrets and the small file beside it",
    imports: [
      "file",
      "document",
      "finding",
      "gateway/contract",
      "mapping",
      "submission",
      "account",
      "attention",
      "webhook"
    ]
  },
  doctor: {
    what: "what is checked before anything is sent, and the plan of mappings",
    imports: [
      ...evidence,
      ...operations,
      "gateway",
      "mapping",
      "preflight",
      "submission",
      "account",
      "attention",
      "day"
    ]
  },
  codes: {
    what: "every code that core knows, with what it means",
    imports: [
      "finding",
      "gateway/contract",
      "source",
      "mapping",
      "translate",
      "ledger",
      "preflight",
      "submission",
      "account",
      "attention",
      "import",
      "configuration",
      "day",
      "doctor"
    ]
  },
  session: {
    what: "the only way to plan and to send: plan, consent, acceptance as a durable job, sending, report",
    imports: [
      ...evidence,
      ...operations,
      "gateway",
      "source",
      "mapping",
      "translate",
      "preflight",
      "submission",
      "account",
      "engine",
      "import"
    ]
  },
  pull: {
    what: "sources that are read live: the walk over their pages, their tokens, one run from pages to receipts",
    imports: [...evidence, "file", "source", "mapping", "submission", "account", "engine", "import", "session"]
  },
  connector: {
    what: "what a job calls beside its session: opening, originals, webhooks, decisions",
    imports: [
      ...evidence,
      ...operations,
      "gateway",
      "source",
      "mapping",
      "translate",
      "preflight",
      "submission",
      "account",
      "engine",
      "webhook",
      "import",
      "session",
      "configuration"
    ]
  },
  node: {
    what: "what needs Node: SQLite, PostgreSQL, the HTTP client, listeners",
    imports: ["file", "document", "gateway/exchange", "ledger", "submission", "attention", "webhook", "store", "import"]
  },
  testing: {
    what: "conformance suites for adapters and stores, for tests of other people",
    imports: ["document", "finding", "source", "ledger", "submission", "webhook"]
  }
}

/** Makes a flow, in which each room may import all preceding rooms. */
const flow = (rooms: Readonly<Record<string, string>>): Rooms =>
  Object.fromEntries(
    Object.entries(rooms).map(([room, what], at) => [room, { what, imports: Object.keys(rooms).slice(0, at) }])
  )

export const csvRooms: Rooms = flow({
  scan: "bytes to records",
  finding: "what an adapter says about an export",
  values: "texts to money, dates, quantities",
  columns: "which column means what",
  formats: "dialects and layouts known beforehand",
  detect: "which of them a file is in",
  rows: "records to rows",
  documents: "rows to source documents",
  propose: "a map of columns for a file nobody described"
})

export const xeroRooms: Rooms = flow({
  json: "bytes to JSON with the place of every value",
  finding: "what the adapter says about an export",
  options: "what a caller chooses",
  values: "fields, dates, contact details",
  records: "the records of a file, whichever list they stand in",
  joins: "what other lists say of a document: contacts, accounts, payments",
  documents: "records to source documents",
  live: "the interface, read live"
})

/** Rooms of the command. The composition, `ConnectorCommand` and `main`, is above all rooms. */
export const cliRooms: Rooms = flow({
  support: "what a support bundle may hold",
  output: "what is printed, and with which exit code it ends",
  why: "every code with its meaning",
  docs: "the pages of the documentation",
  account: "accounts, stores and permissions of a command",
  worker: "a worker that says what it does",
  adapter: "adapters by others: loading them, their options, and the modules they share with the command",
  import: "reading an export for a command, and the report of it",
  "command/import": "import",
  "command/start": "from an export to its plan: its format, its questions, its gateway",
  "command/gateway": "the gateway's own operations",
  "command/store": "what is read of a store, and decided in it",
  "command/sync": "an accounting system that is read live",
  command: "all other commands"
})

/** Rooms of the page. */
export const uiRooms: Rooms = flow({
  html: "the one way to make HTML, pictures, and how it looks",
  text: "every word that is shown",
  guard: "who may ask anything of the page, and where uploads stay",
  report: "the report, and what the page has in common with it",
  work: "what the page works on, its imports, and their sending",
  "page/part": "parts that several pages share, and the frame around all of them",
  page: "every page, made of data",
  serve: "the server: which page answers what, and what a form does"
})

/** Rooms by package folder. */
export const rooms: Readonly<Record<string, Rooms>> = {
  core: coreRooms,
  "adapter-csv": csvRooms,
  "adapter-xero-like": xeroRooms,
  cli: cliRooms,
  ui: uiRooms
}
