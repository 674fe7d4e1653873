/**
 * Laws that must hold, by name. A violation names its law, so that runs can be compared and made
 * smaller.
 */

export const laws = {
  // Checked when a document is handed over.
  "one-in-flight": "no other document of the lane is Sending or Unknown",
  fence: "the sender is who last claimed the lane",
  "receipt-date": "the receipt date is above every one that may have reached the device",
  close: "the receipt date is above the close of the fiscal day that could be known",
  device: "the device is on, and is the one of the lane, as far as could be known",
  clock: "the sender's clock is within the minute that is allowed, as far as could be known",
  "device-seen": "the sender saw the device on, and the same, within ten minutes",
  store: "nothing is sent from an older or another store that could be told from the one that was used",
  witness: "what a witness has recorded of a store never decreases, except when an operator accepts an older copy",
  // Checked at every commit.
  transition: "every change of state is in the table, and follows on the one before",
  "one-answer": "what an attempt was answered is not answered again otherwise",
  evidence: "what is recorded as the gateway's outcome is in the gateway's book",
  "request-id": "an attempt has a request id of its own document, and none that the store has for another",
  forgery: "a delivery that is not signed by the account's secret is not taken",
  "decision-kept": "what a person has decided is undone by nobody",
  // Checked whenever nothing moves.
  attention: "what will not become a receipt without an operator is listed for one",
  "attention-action": "each listed action removes its item, or the item stays for as long as it says",
  // Checked at every close of a fiscal day, and at the end.
  account: "the account names each receipt of the device that the store does not know, to the cent, and nothing else",
  // Checked at the end, when nothing fails any more and everything is completed.
  end: "the run comes to an end",
  spinning: "nobody goes on and on without a moment passing, or asks the gateway the same again and again",
  defect: "no process ends with a defect",
  leak: "no process leaves a connection open",
  lost: "every document that was stated is in the store, or was refused",
  double: "no document has two receipts",
  stranded: "every document is fiscalised in the end",
  colored: "no receipt is colored",
  chronological: "receipts are in the order of their dates",
  "note-after-original": "a credit note comes after its original",
  proof: "Fiscalised is what has one receipt, with its code and the stated content",
  "hold-reason": "what a document is held for is true in the gateway's own book",
  "way-out": "what is printed about a document works, within two rounds",
  "one-proof": "one proof in two documents is a conflict of both",
  "lane-cause": "a failure of the device that was read keeps the lane from sending more to the device",
  credited: "no more is credited than was invoiced",
  number: "the number of a document that may have reached the device is free for no other, withdrawn or not",
  "pinned-device": "no receipt is another device's than the lane's",
  "presumed-dead": "nobody is presumed dead who lives",
  quiet: "a day without an incident has no Unknown, nothing held, and one attempt a document"
} as const satisfies Record<string, string>

export type Law = keyof typeof laws

export interface Violation {
  readonly law: Law
  /** Description without the parts that differ from run to run. */
  readonly text: string
  /** Documents of each occurrence; empty if the violation is not about a document. */
  readonly occurrences: ReadonlyArray<ReadonlyArray<string>>
}

/** End of the text about a document that has receipts of different totals. */
export const otherTotals = " of different totals"

/** Function that receives each violation, with a description and the ids of its documents. */
export type Report = (law: Law, text: string, ...about: ReadonlyArray<string>) => void

/**
 * Returns the text without numbers, dates, ids and codes, so that the same violation has the same
 * text in every run.
 */
export const general = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)?)?/g, "DATE")
    .replaceAll(/(INV|CN)-\d+/g, "$1-n")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27,}/g, "ID")
    .replaceAll(/\b\d+\b/g, "n")
    .slice(0, 220)
