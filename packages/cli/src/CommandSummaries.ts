/** Summary of each command for the overview. Written by test/Help.test.ts from the commands: UPDATE_DOCS=1. */
export const summaries: Readonly<Record<string, string>> = {
  start:
    "From an export to its plan in one conversation: asks what is open, writes the mapping book and the configuration, sends nothing",
  init: "Write a configuration and draft the mapping book of an export, then look at the account as doctor does; asks for what no flag says",
  import: "Fiscalise what an accounting system exports",
  plan: "Show what an import would send, hold and refuse; send nothing",
  columns: "Propose the meaning of each column of an export",
  source: "Accounting systems that are read live",
  sync: "Read an accounting system live and send what is new; the first run is a plan",
  resume: "Go on where an import was cut off",
  list: "List what the store has",
  explain: "Show everything that happened to a document",
  imports: "List what was imported when, from which files; or show how the documents of one import stand now",
  forget:
    "Take buyers, descriptions and the texts of answers out of settled documents from before a day; what rules and receipts need stays",
  resolve: "Record what happened to a document, or to many, or choose what to do next",
  withdraw: "Never send a document, or many, or wait for them no longer",
  originals: "Invoices that were fiscalised elsewhere and may be credited here",
  pdf: "Download the fiscal PDF of a document, or of all that are fiscalised",
  audit: "List the decisions of operators: who, when, what and why",
  health: "Say whether someone must look; the exit code says it to a script",
  store: "The store: what was sent, and its outcome",
  book: "Check a mapping book, ask it what something means, or draft one",
  adapter: "Write an adapter for a system of your own: begin one, try it, check it",
  mappings: "Keep the gateway's tax and currency mappings as the book says them",
  doctor:
    "Look at everything an account needs before it can send; change nothing. Exit code 1 when something is broken",
  "support-bundle":
    "Write one file for whoever helps you: versions, settings, counts, how requests went; no secret, no buyer, no document",
  "z-reports": "Show the closed fiscal days, check their counters and compare them with what the store has fiscalised",
  why: "Say what a code means, what follows from it and what to do",
  docs: "Show a page of the documentation, without a network",
  gateway: "The gateway's operations, one by one, as tables or JSON",
  account: "Decisions about an account as a whole",
  config: "The configuration file",
  assumptions: "What is taken where the gateway's interface does not say: how sure it is, and how to switch it",
  work: "Send what is planned and look for outcomes, until stopped; on any number of machines",
  serve: "Take the outcomes that the gateway delivers by webhook, and do the work of connector work",
  ui: "Open a page on this machine: import files, watch what is sent, and decide; without a configuration against a sandbox",
  webhook: "Outcomes that the gateway delivers without being asked",
  sandbox: "Run a gateway of our own to try things against"
}
