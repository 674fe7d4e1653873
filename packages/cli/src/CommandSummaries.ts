/**
 * Summary of each command for the overview. test/Help.test.ts writes this file from the commands:
 * UPDATE_DOCS=1.
 */
export const summaries: Readonly<Record<string, string>> = {
  start:
    "Set up a first import: ask what is open about a file and an account, write the mapping book and the configuration, show the plan; send nothing",
  init: "Write a configuration, draft the mapping book of an export, and check the account as doctor does; ask for what no flag states",
  import: "Send the documents of an export, each once",
  plan: "Show what an import would send, hold and refuse; send nothing",
  columns: "Propose the meaning of each column of an export",
  source: "Log in to an accounting system that is read live, or forget what was read of it",
  sync: "Read an accounting system live and send new documents; the first run is only a plan",
  resume: "Continue an interrupted import",
  list: "List the documents of the store",
  explain: "Show the history of a document",
  imports: "List imports with their files and times, or show the state of the documents of one import",
  forget: "Erase buyers, descriptions and response texts of old settled documents; amounts and proofs are kept",
  resolve: "Record what happened to documents, or decide what to do next",
  withdraw: "Withdraw documents: never send them, or stop waiting for them",
  originals: "Register invoices that were fiscalised elsewhere, so that they can be credited here",
  credit: "Prepare and send the credit note of an invoice that was fiscalised and no longer holds",
  pdf: "Download the fiscal PDF of a document, or of all fiscalised documents",
  audit: "List operator decisions: who, when, what and why",
  health: "Check whether anything needs an operator; the exit code states the result",
  store: "Back up, copy or accept a store",
  book: "Check, query or draft a mapping book",
  adapter: "Create, try and check an adapter for another system",
  mappings: "Bring the gateway's tax and currency mappings in line with the mapping book",
  doctor: "Check everything an account needs before it can send; change nothing. Exit code 1 if something is broken",
  "support-bundle":
    "Write a file for technical support: versions, settings, counts and request statistics; without secrets, buyers or documents",
  reconcile: "Compare export, store, gateway and day reports of a period, in one account",
  "z-reports": "List closed fiscal days, check their counters and compare them with the receipts of the store",
  device: "State if other tills or programs make receipts on a fiscal device",
  why: "Explain a code: meaning, consequence and remedy",
  docs: "Show a page of the documentation, or search it; needs no network",
  gateway: "Call a single operation of the gateway; the result is a table or JSON",
  account: "Decide about a whole account: replaced device, moved gateway, unknown fact",
  config: "Check the configuration file",
  assumptions: "List assumptions where the gateway's interface is silent: how certain each is, and how to change it",
  work: "Send planned documents and poll for results until stopped; runs on any number of machines",
  serve: "Receive results by webhook, and do the work of connector work",
  ui: "Open the browser page on this machine: import, watch and decide; uses a sandbox without a configuration",
  webhook: "Check a webhook address",
  sandbox: "Run a gateway simulator on this machine"
}
