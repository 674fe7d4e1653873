/**
 * Occasions that must occur somewhere in a series of runs, so that no law holds only because its
 * occasion never occurred.
 */

export const occasions = [
  "a process dies at an operation",
  "a process dies at a commit",
  "a process dies at a request",
  "a lane is taken over",
  "a writer is fenced off",
  "an answer comes late",
  "a late request is kept from the socket",
  "a running process looks at the device again",
  "a commit is contended",
  "a document is restamped",
  "a document gets a later time of its day",
  "a document is held as late",
  "a person settles an Unknown",
  "a person says not processed",
  "a person releases what is held",
  "a historical batch is refused",
  "a document is rejected and sent again",
  "the gateway limits",
  "the device is off",
  "the device is off at night",
  "the device is another",
  "the day is closed",
  "the day is closed after a request was lost",
  "a clock jumps",
  "the clock of the store's server jumps",
  "a secret is exchanged",
  "two accounts share a lane",
  "a credit note is fiscalised",
  "an export contradicts what was sent",
  "a day is quiet",
  "two lanes are worked",
  "an outcome comes by webhook",
  "a delivery is forged",
  "a document is sent again to a gateway that knows it",
  "an outcome is joined by elimination",
  "the disk is full",
  "the mapping book is edited",
  "another till issues a receipt",
  "the gateway has stopped answering for a request",
  "a live device is used",
  "a CSV file is read",
  "Xero-shaped JSON is read",
  "a store is lost",
  "a lost store is noticed",
  "an older store is restored",
  "a store is restored with its witness",
  "the device shows an older store",
  "a store goes back under running processes",
  "an acceptance of an older store is lost",
  "the counter of attempts jumps",
  "an operator executes a listed action without looking",
  "a decision is too early",
  "an operator overrides the quiet period",
  "a request arrives after its client's time limit",
  "an operator names another document's request id",
  "an operator answers while a request may still arrive",
  "an older store is noticed",
  "an older store is accepted",
  "something is listed for an operator",
  "a listed action is taken",
  "an account is made",
  "an account names a receipt that the store does not know"
] as const
export type Occasion = (typeof occasions)[number]

export type Seen = Map<Occasion, number>

export const note = (seen: Seen, occasion: Occasion): void => {
  seen.set(occasion, (seen.get(occasion) ?? 0) + 1)
}
