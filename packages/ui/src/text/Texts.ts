/**
 * All texts of the page and the report, collected for translation. Texts of core (findings, states)
 * are defined in core.
 */
import { DocsPage } from "@fiscal-connector/core/host"
import { text } from "./Wording.ts"

export { dated, day, joined, month, period } from "./Wording.ts"

type Named = Readonly<Record<string, string>>

export const documents = text("{document|documents}")

export const states: { readonly Skipped: string } & Readonly<Record<string, string>> = {
  Planned: "To send",
  Held: "Held back",
  Sending: "Being sent",
  Accepted: "Waiting",
  Fiscalised: "Fiscalised",
  Rejected: "Rejected",
  Expired: "No answer any more",
  Declined: "Declined",
  Unknown: "Outcome unknown",
  Withdrawn: "Withdrawn",
  Refused: "Not accepted",
  Skipped: "Skipped"
}

export const kinds: Readonly<Record<string, readonly [one: string, several: string]>> = {
  invoice: ["invoice", "invoices"],
  "credit-note": ["credit note", "credit notes"]
}

export const environments: Named = {
  sandbox: "Sandbox: nothing reaches the authority",
  test: "Test device: nothing is taxed",
  live: "LIVE: real receipts"
}

/** Words that several screens have. */
export const word = {
  account: "Account",
  because: "Why you say so",
  blank: "(blank)",
  buyer: "Buyer",
  by: "By",
  change: "Change",
  currency: "Currency",
  date: "Date",
  device: "Device",
  difference: "Difference",
  documents: "Documents",
  follows: "What follows",
  inFile: "In the file",
  item: "Item",
  kind: "Kind",
  lines: "Lines",
  net: "Net",
  number: "Number",
  payment: "Payment",
  productCode: "Product code",
  sentAs: "Sent as",
  settings: "Settings",
  state: "State",
  tax: "Tax",
  taxes: "Taxes",
  toDo: "What to do",
  total: "Total",
  verification: "Verification code",
  what: "What",
  when: "When",
  why: "Why"
} as const

export const report = {
  title: "Import report",
  resumed: "Report of what was open",
  made: text("Made {}"),
  period: "Period",
  balance: "The outcome of the file",
  balanceText: "Credit notes are negative. Unknown amounts are counted beside the sum.",
  appendix: "Appendix: QR codes",
  taxpayer: "Taxpayer",
  none: "No document.",
  taxCode: "Tax code",
  refused: "Not accepted, by cause",
  warnings: "Warnings, by cause",
  place: "Where",
  figures: "Figures",
  moreRows: text("and {} more, in the file of rows not accepted"),
  moreNumbers: text("and {} more"),
  otherCauses: text("and {finding|findings} of other causes"),
  used: "Its files and settings",
  corrected: "Corrected cells",
  file: "File",
  book: "Mapping book",
  read: "Read as",
  settings: "Settings of the file",
  noSettings: "nothing",
  hash: "SHA-256",
  bytes: text("{byte|bytes}"),
  outside: "rows outside any document",
  print: "This file names buyers and amounts: treat it as the invoices themselves."
} as const

export const sentence = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

/** `words`: for fields whose name says too little. */
export const field = (name: string, words: Named = {}): string =>
  sentence(words[name]?.replace(/^the /, "") ?? name)
    .replaceAll(".", " ")
    .replaceAll(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)

export const proposedZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const standstill = {
  book: "The mapping book cannot be used",
  answers: "The remembered answers cannot be used",
  bookGone: "The mapping book is gone. Check again.",
  refused: "This cannot be imported as it is",
  gateway: "The gateway did not answer as it should",
  store: "The store cannot be used",
  file: "The file cannot be read",
  broke: "Something broke",
  brokeText: "Nothing was sent. Please report it.",
  sending: "Sending broke off",
  sendingText: "Nothing is sent twice. Continue under Documents.",
  changed: "Something has changed since this page was shown. Nothing was sent. Check it again and send."
} as const

export const page = {
  name: "Fiscal connector",
  skip: "To the content",
  away: "The program on this computer was closed. Nothing is lost. Start it again: this page continues.",
  navigation: "Pages",
  import: "Import",
  importTitle: "Import invoices and credit notes",
  days: "Days",
  health: "Attention",
  openThings: "open",
  device: text("device {}"),
  accounts: text("{} accounts"),
  steps: ["File", "Columns", "Questions", "Check", "Send"],
  step: "Step",
  choose: "Drop an export here, or choose it",
  promise: "Nothing is sent before you have seen it. Files stay on this computer.",
  limit: text("Up to {} together."),
  format: "Format of the file",
  byEnding: "Recognized by the contents of the file",
  read: "Read the file",
  moreWays: "More ways to import",
  sample: "What must be in the file?",
  sampleText: "Columns may be named otherwise.",
  example: "Try our example: nothing reaches the authority",
  imports: "Imports",
  unfinished: "broke off",
  brokeOff: "Documents may be missing. Import again: nothing is sent twice.",
  importedAt: "Imported",
  importWaits: text("{document|documents} to be handed over"),
  importWaitsNote: "The program was closed. Go on below; everything is sent as accepted.",
  importBegun: "nothing accepted",
  importBegunNote: "The program closed before anything was accepted. Import again.",
  importCanceled: "cancelled",
  importCanceledNote: "What was not handed over before is never sent.",
  importIncomplete: "not all planned",
  importIncompleteNote: "Some documents are not sent: see the reasons below.",
  allPdfs: "All PDFs",
  open: "Open",
  discard: "Discard",
  another: "Import another file",
  reading: "Reading the file…",
  readSoFar: text("{document|documents} read so far"),
  noFile: "No file was chosen.",
  noFormat: text("{} is not recognized. Choose its format below the file."),
  emptyFile: text("{} is empty. Export it again."),
  mixed: "The files have different formats. Import one after the other.",
  tooLarge: text("That is more than {}. Split the export, or import it by the command."),
  unreadableForm: "The upload could not be read. Choose the file again.",
  proceed: "Go on",
  unreadableText: "Nothing was read or sent.",
  columnsTitle: "Which column is what?",
  columnsAgain: "The file is read again by what you choose.",
  column: "Column",
  is: "It is",
  notDecided: "Ask me",
  notUsed: "Not used",
  missing: text("Still missing: {}"),
  found: text("{} of {} found"),
  fieldTwice: text("{}: choose it for one column only."),
  remember: "Remember for files of this kind",
  recalledFrom: text("As answered: {}. From {}, {}, kept in {}."),
  forgetAnswers: "Forget it, and ask again",
  usedBy: "Used by",
  meaning: "On the device",
  checkTitle: "Documents to send",
  checkedText: "Nothing has been sent yet.",
  readLike: text("Read like {}"),
  changeAnswer: "Change an answer",
  toKnow: "To know",
  filled: text(" ({} with your answers)"),
  send: (count: number, environment: string) =>
    `Send ${documents(count)} to the ${environment === "sandbox" ? "sandbox" : environment === "live" ? "LIVE device" : "test device"}`,
  sendTitle: text("Send {document|documents}"),
  nothingToSend: "There is nothing to send.",
  already: text("{document|documents} already fiscalised; none is sent again."),
  consent: "A receipt cannot be deleted. A credit note is the only way back.",
  consentLive: "These become real tax receipts.",
  consentDevice: text("Type the device number {}"),
  consentWrong: "The device number is another one. Nothing was sent.",
  firstUse:
    "This store has never sent to this device. If another store has, use that one: otherwise sales are fiscalised twice.",
  firstUseCode: text("If no other store was ever used, type {}"),
  late: text("{} would become late: later documents are sent before."),
  sendRest: "Send the rest now",
  refusedFile: "Download the rows not accepted",
  reportFile: "Report",
  reportQr: "Report with QR codes",
  reportSheet: "Excel",
  withReceipts: "Your file with the receipts",
  howRead: "How the file was read",
  all: "All",
  filter: "Show",
  pageOf: text("Page {} of {}"),
  previous: "‹ previous",
  next: "next ›",
  nothingHere: "No document is like that.",
  mayClose: "You can close this page. Closing the program stops sending.",
  preparing: {
    asking: () => "The gateway is asked if it still maps the codes as shown…",
    "checking-again": text("Something has changed since the check. {document|documents} checked again…"),
    storing: () => "All documents are stored before the first one is sent…"
  },
  leftOutReason: "left out by the operator, on the page",
  pausedBefore: "Paused. Nothing of this import was sent.",
  correctHere: "Correct them here",
  standstillAgain: "Check again",
  planFile: "Download the plan",
  opened: "This page is open. Go on",
  notFound: "There is nothing here.",
  notFoundText: "The import was discarded, or the page restarted.",
  notDone: "Not done",
  gone: "It was changed meanwhile, perhaps in another tab. Nothing was done.",
  noToken: "This form is of an earlier run of the page. Load it again.",
  error: "Something broke. Nothing was done. The log of connector ui says more.",
  pdf: "PDF"
} as const

export const phases: Named = {
  Reading: "being read",
  Questions: "waits for your answers",
  Columns: "waits for your answer",
  Standstill: "cannot go on",
  Checked: "checked, nothing sent",
  Sending: "being sent",
  Registered: "registered, nothing sent",
  Done: "done"
}

export const columns = {
  required: "Required",
  frequent: "Often",
  others: "More",
  firstCells: text("First cells of {}"),
  preview: text("The first {} as it will be: {}"),
  noNumber: "without a number",
  noPreview: "The first document as it will be",
  because: text("It cannot be shown yet: {}."),
  nothing: "nothing",
  amount: "Amount",
  moreLines: text("and {more line|more lines}"),
  sum: "The lines add up to",
  net: "The file says: without tax",
  tax: "The file says: tax",
  total: "The file says: total",
  equal: "✓ as the file says",
  different: "≠ the file says something else",
  taken: text("Assumed for now: {}. It is asked next.")
} as const

export const questionAndChoice = (question: string, choice: string): string =>
  `${question}${question.endsWith("?") ? "" : ":"} ${choice}`

export const questions = {
  step: "Questions",
  title: text("{question|questions} about {}"),
  read: text("The file has {}. Nothing has been sent."),
  notReadYet: "The file can be read after this answer. Nothing has been sent.",
  kept: "Your answers are kept for the next file.",
  groups: {
    business: "Your business",
    taxes: "Taxes of the device",
    facts: "Not stated in the file"
  },
  question: "Question",
  choose: "— choose —",
  proposed: "Proposed",
  open: "Open questions:",
  next: "Next question",
  proposals: text("{answer is|answers are} proposed. Check each."),
  check: "Check the documents",
  answered: (question: string, choice: string, typed: string) =>
    `${questionAndChoice(question, choice)}${typed === "" || choice.includes(typed) ? "" : `: ${typed}`}`.replaceAll(
      "`",
      ""
    ),
  both: text("{}: keep “{}” or “{}”."),
  misshapen: text("{}: “{}” cannot be read. Expected {}."),
  missing: (open: ReadonlyArray<string>) =>
    `Nothing was taken yet. Answer this, too: ${open.join(" ")}`.replaceAll("`", ""),
  unsettled: "Refused with any answer",
  unsettledText: "Correct these documents later, or leave them out.",
  yours: text("Your answers: {}"),
  howToChange: "change it under “Your answers”",
  changed: text("Asked again: {}"),
  askAgain: "Answer the open questions"
} as const

export const document = {
  attention: text("{thing|things} under Attention"),
  search: "Number, or a part of the buyer's name",
  find: "Find",
  clear: "Clear",
  from: "From",
  to: "To",
  export: "Download this list (CSV)",
  description: "Description",
  quantity: "Quantity",
  unitPrice: "Unit price",
  discount: "Discount",
  inclusive: "Amounts of lines include tax.",
  exclusive: "Amounts of lines are without tax.",
  groups: {
    person: "Needs attention",
    way: "On the way",
    fiscalised: "Fiscalised",
    withdrawn: "Withdrawn"
  } as Named,
  empty: "Nothing was planned here. Import a file first.",
  onTheWay: text("{document|documents} on the way. If nothing sends them now, continue."),
  resume: "Go on with sending",
  resumeLive: "Also to live devices: documents sent there are taxed",
  zone: (zone: string) => `Times are those of ${/^[+-]/.test(zone) ? "UTC" : ""}${zone}.`,
  means: "What that means",
  decide: "State its outcome, or decide about it",
  decideText: "The gateway's result overrides your decision.",
  decisions: {
    Fiscalised: "It was fiscalised",
    Rejected: "It was processed and failed",
    Accepted: "The gateway has it under this request id",
    NotProcessed: "It was not processed: send it, marked as a retry",
    Resend: "Send it again",
    Same: "It is the same sale as the known document: never send it",
    Withdrawn: "Never send it",
    Acknowledged: "Its contradictions were settled"
  } as Named,
  needs: {
    verification: "Verification code, if you have it",
    error: "Text of the error",
    "request-id": "Request id"
  } as Named,
  acceptedFrom: "accepted from",
  althoughRecent: "Record it now, although the last request may still make a second receipt.",
  record: "Record",
  stated: "Recorded. What is left to credit is shown below.",
  recorded: (to: string) => `Recorded: ${states[to] ?? to}.`,
  refused: text("Nothing was changed: {}."),
  noRequestId: "Nothing was changed: that is not a request id.",
  timeline: "What happened",
  receiptDate: "Receipt date",
  payload: "Exact content of the request",
  revision: "Revision",
  noPdf: "It has no PDF.",
  notFetchedFile: "NOT-FETCHED.txt",
  notFetched: "These could not be fetched. Download them later.",
  notTried: "not tried: the gateway was out of reach",
  pdf: "Receipt (PDF)",
  proof: "Proof",
  facts: "Facts",
  others: "Other decisions"
} as const

export const sourceRow = {
  show: "Show its row",
  title: text("{} in its file"),
  line: text("Line {}"),
  unnamed: text("Column {}, without a name"),
  moreRows: text("and {more row|more rows} of this document"),
  needed: "Files are not kept. Choose the file again: nothing is sent.",
  choose: text("The imported file: {}"),
  hashes: "Its SHA-256:",
  another: text("This is not {}: its SHA-256 is another one. Nothing of it was kept."),
  notRemembered: "The store has no import of this document.",
  notRead: text("The row could not be read again: {}. Look at the place above.")
} as const

export const originals = {
  purpose: "What to do with it",
  import: "Import: fiscalise its documents",
  register: "Register invoices fiscalised elsewhere; nothing is sent",
  done: "Registered",
  registered: "registered",
  known: "known before",
  passedOver: "no invoices",
  nothingSent: "Nothing was sent. Later credit notes can name these invoices.",
  held: "Documents of the same sale are held here",
  differing: "Registered before with another day, currency or total",
  fiscalisedHere: "Fiscalised here as well: one sale may have two receipts",
  taken: "Numbers of other documents, not registered",
  not: "Not registered"
} as const

export const mappings = {
  missing: text("First time only: register {code|codes} at the gateway"),
  differs: "The gateway has other meanings for codes of these documents",
  forEver: "A code that was used for a receipt keeps its meaning for ever.",
  code: "Code in your file",
  meaning: "Will mean at the gateway",
  tax: text("{} (device tax {})"),
  currency: text("currency {}"),
  register: (count: number) => `Register ${count === 1 ? "this code" : `these ${count} codes`}`,
  changeFirst: "Change a tax first",
  first: text("First register {code|codes}."),
  compare: text("Compare with the gateway of {}"),
  title: text("Codes at the gateway of {}"),
  nothing: "The gateway maps what these settings say.",
  forAPerson: "No step can be done here. Look into the gateway's portal.",
  apply: text("Do {this step|these steps} at the gateway"),
  applied: "Done. The gateway has these codes now.",
  stale: text("Nothing more was done: {}."),
  gone: "The settings were changed meanwhile. Nothing was done."
} as const

export const days = {
  month: "Reconcile a month",
  monthField: "Month",
  monthAbout: "The same documents must be in all four places.",
  compare: "Compare",
  grades: { proven: "Proven", fits: "Fits", possible: "Possible", unexplained: "Not explained" },
  differences: "Differences, by name",
  inBooks: text("{} in the books"),
  wasSent: text("{} sent"),
  gap: text("the day report has {} {} than sent"),
  less: "less",
  more: "more",
  seeNote: "See the prepared credit note",
  examined: text("Examined by {}."),
  notSummed: "It cannot be summed: closings of days are not known.",
  places: "Four places",
  place: { books: "Your books", sent: "Sent", gateway: "Gateway", reports: "Day reports" },
  placesBy: { books: "as imported", sent: "by this program" },
  asked: text("asked {}"),
  ofDays: text("days {} to {}"),
  together: "Together",
  moreThanLeft: "More or less than the place on its left",
  chain: "From the books to the receipts",
  compared: "What was compared",
  done: "Compared",
  notDone: "Not compared",
  books: "In a terminal, with your files:",
  neverSent: "Nothing was sent from this computer.",
  noMonth: "Choose a month.",
  heading: "Fiscal days",
  about: "Sent: confirmed by the gateway. Day report: counted by the device when it closed.",
  one: text("Fiscal day {}"),
  days: text("{compared day|compared days}"),
  none: "No fiscal day has been closed.",
  opened: "Opened",
  closedAt: "Closed",
  notRead: "not read yet",
  states: {
    open: "Open",
    agrees: "Equal",
    differs: "To explain",
    awaited: "Waits for an outcome",
    notPossible: "Cannot be compared"
  },
  readThem: text("Compare {day|days}"),
  notClosed: "not closed",
  noStore: "There is no store to compare with.",
  counters: {
    Sale: "Invoices",
    SaleTax: "Tax of invoices",
    CreditNote: "Credit notes",
    CreditNoteTax: "Tax of credit notes",
    Balance: "Together"
  } as Named,
  explains: "Can explain it",
  unknown: text("Fiscal day {} is still open or does not exist.")
} as const

export const decisions = {
  title: "Decide",
  does: {
    Fiscalised: text("Record {document|documents} as fiscalised"),
    NotProcessed: text("Send {document|documents} again, marked as a retry"),
    Rejected: text("Record {document|documents} as failed"),
    Acknowledged: text("Close {document|documents}"),
    Resend: page.sendTitle,
    Withdrawn: text("Never send {document|documents}"),
    Same: text("Record {document|documents} as the same sale")
  } as Readonly<Record<string, (count: number) => string>>,
  what: text("What should happen with {document|documents}?"),
  apply: text("Do this for {document|documents}"),
  everyOne: "Each ",
  wait: "Leave them waiting",
  noChoice: "Choose what should happen.",
  device: "The device now",
  asked: text("Asked at {}."),
  askAgain: "Ask the device again",
  consequences: {
    Fiscalised: "They count as fiscalised, and nothing of them is sent again.",
    NotProcessed: "They are sent once more, marked as a retry.",
    Rejected: "They have no receipt, and their corrections may be sent.",
    Acknowledged: "Their state stays, and they need no attention any more.",
    Resend: "Each is sent once, now. If the cause is still there, sending stops again.",
    Same: "They get no receipt of their own, because the known documents have it."
  } as Named,
  noReceipt: text(
    "They get no receipt. Their tax of {} must be reported in another way. Imported later, they may be too old."
  ),
  typeNumber: text("Type {} to confirm"),
  notTyped: text("Nothing was changed. Type {} to confirm."),
  nothingLeft: "No document of this cause needs a decision any more.",
  sending: "Look at the documents on the way",
  others: text("{document|documents} more are left as they are."),
  each: text(
    "{document|documents} may have a receipt. Look up each in the gateway's portal, and decide on its own page:"
  ),
  changed: "Nothing was changed: other documents are meant now than were shown.",
  seen: "These may still become receipts. Look up each in the gateway's portal: how many does it show as failed?",
  notSeen: "Nothing was changed: the portal must show all as failed.",
  recorded: (count: number, refused: ReadonlyArray<string>) =>
    refused.length === 0
      ? `Recorded for ${documents(count)}.`
      : `Recorded for ${documents(count)}. Not changed: ${refused.join("; ")}.`,
  acknowledge: "Acknowledge",
  acknowledgeText: "A new difference is listed again.",
  acknowledged: text("Acknowledged: {}."),
  record: "Decisions",
  about: "`connector audit verify` checks these entries.",
  none: "None yet.",
  who: "Who",
  decision: "Decision",
  subject: "About"
} as const

export const storeDecisions = {
  older: "Go on with an older copy of the store",
  nothingListed: "Nothing is listed that this would settle.",
  olderConsequences: [
    "Only if there is no newer copy. Otherwise close this program and put the newer copy back.",
    "Documents sent after this copy was made are missing in it. Look them up in the gateway's portal.",
    "Documents that wait to be sent are held for your decision. This cannot be taken back."
  ],
  acceptOlder: text("Go on with this copy, and hold {document|documents}"),
  accepted: text("The copy is the store now. {document is|documents are} held: decide under Attention."),
  dismiss: text("Dismiss {document|documents}"),
  dismissConsequences: [
    "They are not sent, and are no longer under Attention.",
    "If they are stated otherwise, they are listed again."
  ],
  dismissed: text("Dismissed: {}."),
  repin: text("Move {} to another device"),
  before: "Device so far",
  now: "Device that the gateway names now",
  sameDevice: "The gateway names the device that the store knows.",
  repinConsequences: (planned: number) => [
    "Only if the device was replaced. If the key is of another device, correct the configuration.",
    text(
      "{document that waits to be sent goes|documents that wait to be sent go} to the new device, some with another receipt date."
    )(planned),
    "It is refused while an outcome of the former device is open.",
    "A live device asks for its consent and its first use again."
  ],
  others: text("Who uses device {}"),
  whoUses: "Do other tills or programs make receipts on the device?",
  whoUsesIt: {
    others: ["Yes", "Receipts that this store does not have are then theirs."],
    alone: ["No", "Each receipt that this store does not have is then a difference."]
  },
  othersRecorded: "Recorded. A stopped device goes on when you continue sending.",
  move: text("Move to {}"),
  moved: text("Moved, with {document|documents}; {} with another receipt date.")
} as const

export const health = {
  record: "Show all decisions",
  cancelImport: text("End import {}"),
  imports: "Show the imports",
  acknowledge: "Acknowledge the day",
  correct: "Correct in the source, and import again",
  importAgain: "Import again, with the code of the first use",
  terminal: {
    sync: "In a terminal: connector sync",
    "source-login": "In a terminal: connector source login",
    "forget-source": "If it is not used, in a terminal: connector source forget"
  },
  acceptOlder: "Go on with this copy of the store",
  repin: "The device was replaced",
  others: { others: "Other programs use the device", alone: "Only this program uses the device" },
  nobody: "Nothing needs you",
  needYou: text("{thing needs|things need} you"),
  worst: "Worst first.",
  noAction: text("No action is known: {}. Please report it."),
  notYet: "No action needed yet.",
  since: text("since {}"),
  decide: text("Decide about {document|documents}"),
  activity: "Outcomes in the last 24 hours",
  day: "Fiscal day",
  horizon: text("{day|days} until the gateway no longer answers for the oldest."),
  show: "Show what needs attention",
  look: text("Look at {}"),
  examine: text("Check the account {}"),
  notAccepted: text("{document was|documents were} not accepted"),
  sendAgain: text("Send {document|documents} again"),
  otherwise: "Decide otherwise"
} as const

export const credit = {
  tabs: { documents: "All documents", credits: "Prepared credit notes" },
  show: { all: "All", prepared: "Prepared", "not-prepared": "Not prepared" },
  title: text("{credit note is|credit notes are} prepared, {}"),
  noNote: "No credit note is prepared",
  about:
    "Your books changed after the receipt. Nothing is sent before you send a note here. A note of your books replaces it.",
  none: "Your books state every fiscalised invoice as it was sent.",
  look: text("Credit note for {}"),
  left: text("{} left"),
  beside: text("Credit note {}, beside its invoice"),
  invoice: text("Invoice {}"),
  note: "Credit note",
  dated: "It is computed again and dated when you send it.",
  rows: { fiscalised: "Fiscalised", credited: "Already credited", stated: "In your books now" },
  after: "After this note",
  leftOf: text("{} of {} is left"),
  balance: "Left of the invoice",
  changed: "What changed in your books",
  on: text("{}, on {}"),
  shownBelow: "Shown below",
  dismiss: "Not needed: dismiss it",
  notKnown: "not known",
  full: "Credit the whole invoice instead",
  portal: text("The portal shows receipt {}: go on with it"),
  receipt: text("Credit receipt {}"),
  credited: text("The portal shows receipt {} as credited"),
  number: "Another number for the note",
  reason: "Reason, printed on the receipt",
  send: text("Send {}: {}"),
  nothing: {
    "same-figures": "The same figures: there is nothing to credit.",
    "nothing-left": "Nothing is left to credit."
  },
  again: "Remove the cause that the gateway names, then credit again under the same number.",
  noReason: "Type the reason. Nothing was sent.",
  underWay: "The note is being sent. Its outcome appears under Documents."
} as const

export const book = {
  asFile: "The settings as a file, for what no screen asks",
  about: `The mapping book: the file that the command reads. ${DocsPage.docsPage("mapping-book")} explains every field. `,
  save: "Check and save the file",
  byFile: "Edited as a file",
  changed: "It was changed meanwhile. Nothing was saved: save again.",
  problems: "Nothing was saved. This is not in order:",
  line: text("Line {}, column {}: ")
} as const

export const settings = {
  about: "A change counts from the next check. Receipts do not change.",
  sections: {
    business: "Business",
    taxes: "Taxes and currencies",
    missing: "Missing facts",
    codes: "Product codes",
    files: "Known files",
    advanced: "Advanced",
    changes: "Changes"
  },
  none: "There are no settings yet. They begin with the first import.",
  save: "Save",
  saved: "Saved. It counts from the next check.",
  unchanged: "Nothing was changed.",
  nothing: "none: not accepted",
  zone: "Time zone of the business",
  zoneHelp: "The days of your files are days of this zone.",
  lateLabel: "Documents older than the last receipt",
  lateHelp: "Each import can decide otherwise.",
  lateChoices: { hold: "are held back until you decide", restamp: "are dated at the moment they are sent" },
  cashBuyer: {
    label: "A buyer without a TIN is named",
    help: "As “Cash sale {name}”. Empty: not accepted."
  },
  productCode: { label: "Product code of items without one", help: "8 digits. Empty: not accepted." },
  creditReason: { label: "Reason of credit notes without one", help: "Empty: not accepted." },
  payment: { label: "Payment method of documents without one", help: "" },
  receipts: text("{receipt|receipts}"),
  notUsed: "not used yet",
  held: text("{} held now"),
  inReceipts: "Cannot change: in receipts",
  receiptsNotKnown: "Cannot change: receipts not known",
  last: text("Last change: {}, {}"),
  differ: text("{} of {} differ from the delivered rule."),
  setting: "Setting",
  has: "What the file has",
  rule: "Rule",
  setBy: "Set by",
  delivered: "as delivered",
  changed: "changed",
  noFiles: "No file is known yet. Answers are kept when you send a file.",
  knownFiles: "Files with the same columns are read with these answers.",
  fileLike: "Files like",
  answered: "Answered",
  says: "Answers",
  currencies: "Currencies",
  paymentsTitle: "Payment methods",
  itemsHelp: "The product code of an item by its name: 8 digits, or 4.",
  spelledCode: text("Code “{}” of the file"),
  newItem: "Another item, named as in the file",
  newCode: "Product code of the other item",
  saveItems: "Save the product codes",
  itemIncomplete: "Nothing was changed: an item needs its name and its product code.",
  meaning: "Means",
  since: "Since",
  until: "until",
  forget: "Ask again",
  forgotten: text("“{}” is asked for again"),
  codeOnly: "only its code",
  exempt: "exempt",
  tax: text("device tax {}"),
  old: "Before",
  new: "Now",
  noHistory: "Nothing was changed since the page was started."
} as const

const minutes = (count: number): string =>
  count < 2
    ? text("about {} seconds")(Math.max(1, Math.round(count * 6)) * 10)
    : count < 90
      ? text("about {minute|minutes}")(Math.round(count))
      : text("about {hour|hours}")(Math.round(count / 60))

export const living = {
  receipts: "QR codes",
  title: {
    sending: "Sending",
    pausing: "Pausing",
    paused: "Paused",
    stopped: "Stopped",
    open: "Not finished",
    "needs-operator": "Needs attention",
    done: "Done"
  },
  equation: "Counts and amounts",
  inFile: "in the file",
  notKnown: text("{} of unknown amount"),
  ofWhichTax: text("of which tax {}"),
  taxNotKnown: "of which tax is not known",
  byDay: "By invoice date",
  ofAll: text("{} of {}"),
  rejected: text("{document was|documents were} rejected"),
  lookAtThem: text("Look at {document|documents}"),
  stayUnderAttention: "They stay under Attention.",
  imported: (at: string, by: string | undefined) => `Imported ${at}${by === undefined ? "" : ` by ${by}`}`,
  needing: text("{needs|need} you"),
  fiscalised: text("{} of {} fiscalised"),
  agreeing: text("{} of {} agree with your books"),
  strays: text("{row belongs|rows belong} to no document"),
  outcomes: text("{} of {} have their outcome"),
  pace: (perMinute: number, left: number, until: string) =>
    `${perMinute < 10 ? perMinute.toFixed(1) : Math.round(perMinute).toLocaleString("en")} a minute in the last 20 seconds · ${minutes(left)} left, until ${until}`,
  pause: "Pause after this one",
  pausing: "The request that is under way ends first.",
  paused: "What waits is sent when you go on.",
  stopped: "Nothing can be sent at the moment",
  proceed: text("Go on: send {document|documents}"),
  waiting: text("{document waits|documents wait} to be sent."),
  awaited: text("{document waits|documents wait} for the outcome."),
  lookAgain: "Look for outcomes now",
  live: "I know: these become real tax receipts.",
  held: text("{document is|documents are} held back"),
  heldText: "Open each to see why, and to decide.",
  noRefusedFile: "Correct your file, and import it again.",
  table: "Documents of this import",
  tiles: {
    fiscalised: "Fiscalised",
    waiting: "Waiting",
    "to-send": "To send",
    unknown: "Outcome unknown",
    "not-accepted": "Not accepted",
    held: "Held back",
    skipped: "Skipped"
  }
} as const

export const blocked = {
  title: text("Sending stopped at {}: we do not know whether it arrived"),
  behind: text("{document waits|documents wait} behind it, so that no receipt is made twice."),
  look: (number: string, day: string, total: string, buyer: string) =>
    `Look in the gateway's portal for number ${number} of ${day}, ${total}${buyer === "" ? "" : `, ${buyer}`}. What do you see?`,
  there: "It is there",
  thereText: "It is recorded as fiscalised, and sending continues.",
  code: "Verification code, if you see it",
  record: "Record as fiscalised",
  notThere: "It is not there",
  notThereText: "It is sent again, once, and sending continues.",
  notYet: text("Until {} the request can still arrive. After that it is sent again, once."),
  sendAgain: "Send it again",
  later: "I cannot tell now",
  laterText: "The others keep waiting. You find this decision under Attention.",
  decideLater: "Decide later",
  others: text("{more document|more documents} of unknown outcome after it.")
} as const

export const heldBack = {
  titles: {
    late: text("{document is|documents are} older than the last receipt of this device"),
    historical: text("{document is|documents are} dated before the last close of a fiscal day"),
    outdated: text("{document|documents} cannot be dated today: taxes, or the original, are no longer good"),
    original: text("{document credits an invoice|documents credit invoices} that cannot be credited yet"),
    credited: text("{document|documents} would credit more than is left of the invoice"),
    contradicted: text("{document was|documents were} fiscalised in another version"),
    operator: text("{document waits|documents wait} for an operator's decision"),
    "before-start": text("{document is|documents are} dated before the account begins"),
    "older-copy": text("{document|documents} may have been sent already: the store was an older copy"),
    "rejection-unconfirmed": text("{document|documents} may become a receipt by an earlier request"),
    duplicate: text("{document may be a sale|documents may be sales} that the store knows"),
    replaces: text("{document replaces one|documents replace others} that may have a receipt")
  },
  consequence: "They are not sent as they are. The others are not affected.",
  keep: "Keep them held, and decide later",
  keepText: "Nothing is lost. You can import again.",
  restamp: "Send them last, dated today",
  restampText: "The receipt gets today's date. The report keeps the date of the invoice.",
  nothingOlder: "No invoice dated before today is left to import",
  sayNothingOlder: "Confirm first that no older invoice is left to import.",
  historical: "Send them as a historical batch",
  historicalText: "The device must have the upload permission; it is checked first.",
  leaveOut: "Leave them out",
  leaveOutText: (amount: string) =>
    `No receipt${amount === "" ? "" : ` for ${amount}`}. They are listed as skipped; you can import them again.`,
  apply: text("Apply to {document|documents}"),
  untilSent: "Can be taken back until they are sent.",
  decidedLate: "Late documents are dated at the moment they are sent.",
  decidedHistorical: "They are sent as a historical batch.",
  decidedLeftOut: text("{document is|documents are} left out by your decision."),
  takeBack: "Take this back",
  yours: "Decided for this import"
} as const

export const fix = {
  leaveOut: (count: number, number = "") => `Leave ${(count === 1 && number) || documents(count)} out`,
  apply: text("Apply to {document|documents} and check again"),
  typing: "Type the right value: the file is not changed.",
  cell: "Value",
  row: text("Row {}"),
  checkCells: "Check these cells again",
  columns: "Choose the columns again",
  corrected: text("{cell was corrected|cells were corrected}"),
  correctedText: "The file stays as it is. The report lists these changes.",
  undo: "Undo",
  notFound: "That cell was not found: correct the file, and choose it again.",
  notUsable: "That answer cannot be used: type it as the example shows.",
  lastChange: "Kept in the settings",
  undoing: {
    undone: "Taken back.",
    used: "This cannot be taken back: documents were sent by it.",
    "changed-since": "The settings were changed after it. Take the later change back first."
  }
} as const
