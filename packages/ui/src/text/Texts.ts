/**
 * All texts of the page and the report, collected for translation. Texts of core (findings, states)
 * are defined in core.
 */
import { DocsPage } from "@fiscal-connector/core/host"
import type { MappingBook } from "@fiscal-connector/core/book"

const plural = (count: number, one: string, several: string) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`

export const documents = (count: number): string => plural(count, "document", "documents")

const are = (count: number): string => (count === 1 ? "is" : "are")
const were = (count: number): string => (count === 1 ? "was" : "were")
const wait = (count: number): string => (count === 1 ? "waits" : "wait")

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** Returns a day for display, such as `2 Jan 2026`, from a text that begins with an ISO date. */
export const day = (iso: string): string => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso) ?? []
  return year === undefined ? iso : `${Number(date)} ${months[Number(month) - 1] ?? month} ${year}`
}

/** Returns `Feb 2026` for `2026-02`. */
export const month = (iso: string): string => day(`${iso}-01`).replace(/^1 /, "")

export const states: Readonly<Record<string, string>> = {
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

export const environments: Readonly<Record<string, string>> = {
  sandbox: "Sandbox: nothing reaches the authority",
  test: "Test device: nothing is taxed",
  live: "LIVE: real receipts"
}

export const report = {
  title: "Import report",
  resumed: "Report of what was open",
  made: (at: string) => `Made ${at}`,
  period: "Period",
  sheetColumns: [
    "Number",
    "Date",
    "Buyer",
    "Kind",
    "Currency",
    "Net",
    "Tax",
    "Total",
    "State",
    "Verification code",
    "Why"
  ],
  kind: "Kind",
  balance: "The outcome of the file",
  balanceText:
    "The parts add up to the file. Credit notes are negative. Documents of unknown amount are counted beside the sum.",
  appendix: "Appendix: QR codes",
  account: "Account",
  device: "Device",
  taxpayer: "Taxpayer",
  documentsTitle: "Documents",
  none: "No document.",
  state: "State",
  currency: "Currency",
  documentsColumn: "Documents",
  total: "Total",
  taxCode: "Tax code",
  net: "Net",
  tax: "Tax",
  refused: "Refused, by cause",
  warnings: "Warnings, by cause",
  skipped: "Skipped",
  place: "Where",
  number: "Number",
  cell: "In the file",
  figures: "Figures",
  moreRows: (count: number) => `and ${count.toLocaleString("en")} more; the file of refused rows has every one`,
  moreNumbers: (count: number) => `and ${count.toLocaleString("en")} more`,
  otherCauses: (count: number) => `and ${plural(count, "finding", "findings")} of other causes`,
  used: "Its files and settings",
  corrected: "Corrected cells",
  wasInFile: "In the file",
  sentAs: "Sent as",
  correctedBy: "By",
  file: "File",
  book: "Mapping book",
  read: "Read as",
  settings: "Settings of the file",
  noSettings: "nothing; the file says everything itself",
  hash: "SHA-256",
  bytes: (count: number) => plural(count, "byte", "bytes"),
  verification: "Verification code",
  outside: "rows outside any document",
  fixFirst: "What follows",
  fix: "What to do",
  print:
    "This page is one file: print it, keep it, or send it on. It names buyers and amounts: treat it as the invoices themselves."
} as const

export const field = (name: string): string =>
  name.replaceAll(".", " ").replaceAll(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)

export const proposedZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const standstill = {
  book: "The mapping book cannot be used",
  answers: "The remembered settings of earlier files cannot be used",
  bookGone: "The mapping book is gone. Check again.",
  refused: "This cannot be imported as it is",
  gateway: "The gateway did not answer as it should",
  store: "The store of what was sent cannot be used",
  file: "The file cannot be read",
  broke: "Something broke",
  brokeText: "Nothing was sent. The log of connector ui says more; please report it.",
  sending: "Sending broke off",
  sendingText: "Nothing is sent twice. Documents shows the outcome of each; continue with sending there.",
  changed: "Something has changed since this page was shown. Nothing was sent. Check it again and send."
} as const

export const page = {
  name: "Fiscal connector",
  skip: "To the content",
  away: "The program on this computer was closed. Nothing is lost, and nothing is sent twice. Start it again: this page then continues automatically.",
  navigation: "Pages",
  import: "Import",
  documents: "Documents",
  days: "Days",
  health: "Attention",
  openDecisions: "open decisions",
  device: (device: string) => `device ${device}`,
  accounts: (count: number) => `${count} accounts`,
  steps: ["File", "Columns", "Questions", "Check", "Send"],
  step: "Step",
  choose: "Drop an export here, or choose one",
  promise: "Nothing is sent before you have seen what would be sent. The files stay on this machine.",
  limit: (text: string) => `Up to ${text} together.`,
  account: "Account",
  format: "Format of the file",
  byEnding: "Recognized by the contents of the file",
  read: "Read the file",
  moreWays: "More ways to import",
  openTitle: (count: number) => `${plural(count, "thing waits", "things wait")} for your decision`,
  openLook: "Look at them",
  exampleTitle: "Nothing at hand?",
  exampleText: "Six invoices of an invented shop, one with a mistake. Nothing reaches the authority.",
  example: "Try it with our example",
  running: "Not finished",
  imports: "Imports",
  files: "Files",
  refusedCount: "Refused",
  unfinished: "broke off",
  brokeOff: "It broke off: documents of the files may be missing. Import the files again: nothing is sent twice.",
  importWaits: (rest: number) => `${rest} to be handed over`,
  importWaitsNote: (rest: number) =>
    `${rest} ${rest === 1 ? "document of it waits" : "documents of it wait"} to be handed over: the program was closed. Go on below; everything is sent as accepted.`,
  importBegun: "nothing accepted",
  importBegunNote: "Nothing of it was accepted or sent: the program was closed before. Import the files again.",
  importCanceled: "cancelled",
  importCanceledNote: "It was cancelled: what was not handed over before is never sent.",
  importIncomplete: "not all planned",
  importIncompleteNote:
    "Some of its documents could not be planned, and are not sent. They are listed as refused, with the reasons. Correct them in the source and import them again.",
  allPdfs: "All PDFs",
  open: "Open",
  discard: "Discard",
  another: "Import another file",
  reading: "Reading the file…",
  readSoFar: (count: number) => `${documents(count)} read so far`,
  noFile: "No file was chosen.",
  noFormat: (name: string) => `What ${name} has cannot be recognized. Choose its format below the file.`,
  emptyFile: (name: string) => `${name} is empty. Nothing was read. Export it again.`,
  mixed: "The files are of different formats. Import them one after the other.",
  tooLarge: (limit: string) =>
    `That is more than ${limit}. Nothing was read. Split the export, or import it by the command.`,
  unreadableForm: "The upload could not be read. Choose the file again.",
  proceed: "Go on",
  unreadableTitle: "The file cannot be read as it is",
  unreadableText: "Nothing was read or sent.",
  columnsTitle: "Which column is what?",
  columnsAgain: "Say what each column is. The file is read again by that.",
  column: "Column",
  is: "It is",
  notDecided: "Ask me",
  notUsed: "Not used",
  missing: (fields: string) => `Still missing: ${fields}`,
  fieldTwice: (twice: ReadonlyArray<{ readonly field: string; readonly columns: ReadonlyArray<string> }>) =>
    twice
      .map(
        ({ columns, field: name }) =>
          `“${field(name)}” is chosen for ${columns.join(" and ")}. Choose it for one of them only.`
      )
      .join(" "),
  remember: "Remember for files of this kind",
  recalledFrom: (said: string, from: string, on: string, file: string) =>
    `As stated about ${from} on ${on}: ${said}. It is kept in ${file}, which the command reads, too.`,
  forgetAnswers: "Forget it, and ask again",
  evidence: "The cells that decided",
  evidenceText: "The columns with the cells that decided.",
  usedBy: "Used by",
  meaning: "On the device",
  checkTitle: "Documents to send",
  checkedText: "Nothing has been sent yet.",
  readLike: (file: string) => `Read like ${file}.`,
  changeAnswer: "Change an answer",
  toKnow: "To know",
  filled: (count: number) => ` (${count.toLocaleString("en")} with your answers)`,
  send: (count: number, environment: string) =>
    `Send ${documents(count)} to the ${environment === "sandbox" ? "sandbox" : environment === "live" ? "LIVE device" : "test device"}`,
  sendTitle: (count: number) => `Send ${documents(count)}`,
  nothingToSend: "There is nothing to send.",
  nothingBecause: {
    fiscalised: "fiscalised already",
    waiting: "sent already, and waiting for the outcome",
    "to-send": "to send",
    unknown: "sent already, with an unknown outcome: see Attention",
    "not-accepted": "not accepted: the causes are on this page",
    held: "held back: decide about them on this page",
    skipped: "skipped, as listed below"
  },
  already: (count: number) => `${documents(count)} already fiscalised; none of them is sent again.`,
  consent: "A receipt cannot be deleted. A credit note is the only way back.",
  consentLive: "These become real tax receipts.",
  consentDevice: (device: string) => `If you mean it, type the device number ${device}`,
  consentWrong: "The device number is another one. Nothing was sent.",
  firstUse:
    "This store has never sent to this device. Where another store was used before, use that one, or these documents may be fiscalised twice.",
  firstUseCode: (code: string) => `If no other store was ever used, type ${code}`,
  late: (numbers: string) => `${numbers} would become late: documents of a later date would be sent before.`,
  sendRest: "Send the rest now",
  refusedFile: "Download the rows not accepted",
  reportFile: "Report",
  reportQr: "Report with QR codes",
  reportSheet: "Excel",
  withReceipts: "Your file with the receipts",
  bookFile: "Settings",
  howRead: "How the file was read",
  table: "Documents",
  all: "all",
  filter: "Show",
  number: "Number",
  date: "Date",
  buyer: "Buyer",
  total: "Total",
  taxes: "Taxes",
  state: "State",
  why: "Why",
  place: "In the file",
  pageOf: (at: number, of: number) => `Page ${at} of ${of}`,
  newer: "‹ newer",
  older: "older ›",
  previous: "‹ previous",
  next: "next ›",
  nothingHere: "No document is like that. Show all of them.",
  sendingTitle: "Sending",
  mayClose:
    "You can close this page: the program on this computer sends. Closing the program stops sending, and nothing is lost.",
  preparing: {
    asking: () => "The gateway is asked if it still maps the codes as shown…",
    "checking-again": (documents: number) =>
      `Something has changed since the check. ${plural(documents, "document", "documents")} checked again…`,
    storing: () => "All documents are stored before the first one is sent…"
  },
  leftOutReason: "left out by the operator, on the page",
  pausedBefore: "Paused. Nothing of this import was sent.",
  correctHere: "Correct them here",
  standstillAgain: "Check again",
  planFile: "Download the plan",
  opened: "This page is open. Go on",
  notFound: "There is nothing here.",
  notFoundText: "The import may be discarded, or the page was started again.",
  notDone: "Not done",
  gone: "It was changed meanwhile, perhaps in another tab. Nothing was done.",
  noToken: "This form is of an earlier run of the page. Go back, and load it again.",
  error: "Something broke. Nothing was done by this request. The log of connector ui says more.",
  pdf: "PDF",
  verification: "Verification code"
} as const

export const phases: Readonly<Record<string, string>> = {
  Reading: "being read",
  Questions: "waits for your answers",
  Columns: "waits for your answer",
  Unreadable: "cannot be read as it is",
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
  firstRows: "First rows of the file",
  firstCells: (name: string) => `First cells of ${name}`,
  blank: "(blank)",
  preview: (kind: string, number: string) => `The first ${kind} as it will be: ${number}`,
  noNumber: "without a number",
  noPreview: "The first document as it will be",
  because: (because: string) => `It cannot be shown yet: ${because}.`,
  nothing: "nothing",
  payment: "Payment",
  lines: "Lines",
  amount: "Amount",
  moreLines: (count: number) => `and ${plural(count, "more line", "more lines")}`,
  sum: "The lines add up to",
  net: "The file says: without tax",
  tax: "The file says: tax",
  total: "The file says: total",
  equal: "✓ as the file says",
  different: "≠ the file says something else",
  taken: (readings: ReadonlyArray<string>) => `Assumed for now: ${readings.join("; ")}. It is asked next.`
} as const

export const questionAndChoice = (question: string, choice: string): string =>
  `${question}${question.endsWith("?") ? "" : ":"} ${choice}`

export const questions = {
  step: "Questions",
  title: (count: number, files: string) => `${plural(count, "question", "questions")} about ${files}`,
  read: (count: number, period: string, totals: string) =>
    `The file has ${[documents(count), ...(period === "" ? [] : [period]), ...(totals === "" ? [] : [totals])].join(", ")}. Nothing has been sent.`,
  notReadYet: "The file can be read after this answer. Nothing has been sent.",
  kept: "Your answers are kept for the next file. You can change each of them.",
  taxes: "Which tax of the device is meant?",
  question: "Question",
  choose: "— choose —",
  proposed: "Proposed",
  answers: (count: number) => plural(count, "question", "questions"),
  proposals: (count: number) =>
    count === 0
      ? "The file does not say the answers. Choose each."
      : `${count === 1 ? "One answer is" : `${count.toLocaleString("en")} answers are`} proposed from the contents of the file. Check each one.`,
  check: "Check the documents",
  nothingSent: "Nothing is sent yet.",
  answered: (question: string, choice: string, typed: string) =>
    `${questionAndChoice(question, choice)}${typed === "" || choice.includes(typed) ? "" : `: ${typed}`}`.replaceAll(
      "`",
      ""
    ),
  misshapen: (question: string, typed: string, expected: string) =>
    `${question}: “${typed}” cannot be read. Expected ${expected}.`,
  missing: (open: ReadonlyArray<string>) =>
    `Nothing was taken yet. Answer this, too: ${open.join(" ")}`.replaceAll("`", ""),
  unsettled: "Refused with any answer",
  unsettledText: "You can correct these documents later, or leave them out.",
  yours: "Your answers",
  change: "Change",
  howToChange: "change it under “Your answers”",
  changed: (text: string) => `Asked again: ${text}`,
  askAgain: "Answer the open questions"
} as const

export const document = {
  attention: (count: number) => `Health lists ${plural(count, "thing", "things")} for an operator`,
  search: "Number, or a part of the buyer's name",
  find: "Find",
  from: "From",
  to: "To",
  export: "Download this list (CSV)",
  exportColumns: [
    "Kind",
    "Number",
    "Date",
    "Buyer",
    "Currency",
    "Net",
    "Tax",
    "Total",
    "Taxes",
    "State",
    "VerificationCode",
    "FiscalDay",
    "Device",
    "Account"
  ],
  previous: "‹ previous:",
  next: "next ›:",
  lines: "Lines",
  description: "Description",
  quantity: "Quantity",
  unitPrice: "Unit price",
  discount: "Discount",
  productCode: "Product code",
  inclusive: "Amounts of lines include tax.",
  exclusive: "Amounts of lines are without tax.",
  groups: {
    person: "Needs attention",
    way: "On the way",
    fiscalised: "Fiscalised",
    withdrawn: "Withdrawn"
  } as Readonly<Record<string, string>>,
  empty: "Nothing was ever planned here. Import a file first.",
  onTheWay: (count: number) => `${documents(count)} on the way. If nothing sends them now, go on with it.`,
  resume: "Go on with sending",
  resumeLive: "Also to live devices: documents sent there are taxed",
  zone: (zone: string) => `Times are those of ${zone}.`,
  means: "What that means",
  decide: "State its outcome, or decide about it",
  decideText: "Only what is possible now. A result from the gateway overrides your decision.",
  decisions: {
    Fiscalised: "It was fiscalised",
    Rejected: "It was processed and failed",
    Accepted: "The gateway has it under this request id",
    NotProcessed: "It was not processed: send it, marked as a retry",
    Resend: "Send it again, or after all",
    Same: "It is the same sale as the known document: never send it",
    Withdrawn: "Never send it, or wait for it no longer",
    Acknowledged: "Its contradictions were settled"
  } as Readonly<Record<string, string>>,
  needs: {
    verification: "Verification code, if you have it",
    error: "Text of the error",
    "request-id": "Request id"
  } as Readonly<Record<string, string>>,
  because: "Because",
  acceptedFrom: "accepted from",
  althoughRecent: "Record it now, although the last request may still make a second receipt.",
  record: "Record",
  stated: "Recorded. What is left to credit is shown below.",
  recorded: (to: string) => `Recorded. The document is now: ${states[to] ?? to}.`,
  refused: (because: string) => `Nothing was changed: ${because}.`,
  changed: "It has changed since you looked, perhaps in another tab. Nothing was changed.",
  noRequestId: "Nothing was changed: that is not a request id.",
  timeline: "What happened",
  attempts: (count: number) => (count === 0 ? "Nothing of it was ever sent" : plural(count, "attempt", "attempts")),
  attempt: (n: number) => `Attempt ${n}`,
  receiptDate: "Receipt date",
  retry: "marked as a retry",
  first: "for the first time",
  noAnswer: "no answer yet",
  requestId: "request id",
  payload: "Exact content of the request",
  evidence: (count: number) => `Evidence (${count})`,
  revision: "Revision",
  noPdf: "It has no PDF."
} as const

export const sourceRow = {
  show: "Show its row",
  title: (number: string) => `${number} in its file`,
  heading: "In the file",
  line: (line: number) => `Line ${line.toLocaleString("en")}`,
  unnamed: (at: number) => `Column ${at}, without a name`,
  moreRows: (count: number) => `and ${plural(count, "more row", "more rows")} of this document, in the file`,
  needed: "No file is kept here after its import, because files name people. Choose it again: nothing is sent or kept.",
  choose: (file: string) => `The file that was imported: ${file}`,
  hashes: "It is known by its SHA-256:",
  another: (file: string) =>
    `This is not the file that was imported as ${file}: its SHA-256 is another one. Nothing of it was kept.`,
  notRemembered: "The store has no import of this document. Check the place above yourself.",
  notRead: (because: string) =>
    `The row could not be read again as it was: ${because}. Look into the file yourself, at the place above.`
} as const

export const originals = {
  purpose: "What to do with it",
  import: "Import: fiscalise its documents",
  register: "Register invoices fiscalised elsewhere, for later credit notes; nothing is sent",
  done: "Registered",
  registered: "registered",
  known: "known before",
  passedOver: "no invoices",
  nothingSent: "Nothing was sent. Later credit notes can name these invoices, and later imports do not send them.",
  held: "Documents of the same sale are held here",
  differing: "Registered before with another day, currency or total, and not changed",
  fiscalisedHere: "Fiscalised here as well: one sale may have two receipts",
  taken: "Numbers of other documents, not registered",
  not: "Not registered",
  why: "Why"
} as const

export const mappings = {
  missing: (count: number) => `First time only: register ${plural(count, "code", "codes")} at the gateway`,
  differs: "The gateway has other meanings for codes of these documents",
  forEver: "Receipts carry these codes. A code that was used for a receipt keeps its meaning for ever.",
  code: "Code in your file",
  meaning: "Will mean at the gateway",
  tax: (name: string, device: number) => `${name} (device tax ${device})`,
  currency: (currency: string) => `currency ${currency}`,
  register: (count: number) => `Register ${count === 1 ? "this code" : `these ${count} codes`}`,
  changeFirst: "Change a tax first",
  first: (count: number) => `First register the ${count === 1 ? "code" : `${count} codes`}.`,
  compare: (account: string) => `Compare with the gateway of ${account}`,
  title: (account: string) => `Codes at the gateway of ${account}`,
  nothing: "Nothing is to be changed: the gateway maps what these settings say.",
  forAPerson: "No step can be done here. Look into the gateway's portal.",
  apply: (count: number) => `Do ${plural(count, "this step", "these steps")} at the gateway`,
  applied: "Done. The gateway has these codes now.",
  stale: (what: string) => `Nothing more was done: ${what}. This is what there is to do now.`,
  gone: "The settings were changed meanwhile. Nothing was done. This is what there is to do now."
} as const

export const days = {
  month: "Reconcile a month",
  monthField: "Month",
  monthAbout: "The same document must be in your books, in a receipt and in a day report.",
  compare: "Compare",
  results: {
    0: () => "everything that was compared agrees",
    2: (count: number) => plural(count, "difference", "differences"),
    3: () => "not everything can be compared yet"
  },
  grades: { proven: "Proven", fits: "Fits", possible: "Possible", unexplained: "Not explained" },
  differences: (count: number) => `${plural(count, "difference", "differences")}, by name`,
  more: "More at the device",
  what: "Difference",
  whatToDo: "What to do",
  examined: (who: string) => `Examined by ${who}.`,
  notSummed: "The month cannot be summed: the closings of its fiscal days are not known.",
  compared: "What was compared",
  books: "To compare your books, in a terminal: connector reconcile FILES.",
  neverSent: "Nothing was ever sent from this computer.",
  noMonth: "Choose a month, as 2026-02.",
  heading: "Fiscal days",
  title: (account: string) => `Fiscal days of ${account}`,
  one: (day: number) => `Fiscal day ${day}`,
  none: "No fiscal day has been closed.",
  day: "Day",
  opened: "Opened",
  closedAt: "Closed",
  result: "State",
  sent: "Sent",
  sentSum: "Sum sent",
  report: "Day report",
  notRead: "not read yet",
  states: {
    agrees: "agrees",
    differs: "differs",
    awaited: "waits for an outcome",
    notPossible: "cannot be compared"
  },
  readThem: (count: number) => `Compare the last ${plural(count, "day", "days")}`,
  closed: "closed",
  notClosed: "not closed",
  older: (count: number) => `and ${plural(count, "older day", "older days")}; the command z-reports has every one`,
  noStore: "There is no store to compare with.",
  currency: "Currency",
  counter: "Counter",
  tax: "Tax",
  payment: "Payment",
  device: "Device",
  store: "Store",
  difference: "Difference",
  agrees: "The counters of the device are what the store has.",
  explains: "Documents that can explain a difference",
  unknown: (day: string) => `The gateway knows no fiscal day ${day}: the day is still open or does not exist.`,
  notStated: "not stated"
} as const

export const pdfs = {
  missingFile: "NOT-FETCHED.txt",
  missing: "These PDFs could not be fetched. Download all of them again later.",
  notTried: "not tried, since the gateway was out of reach"
} as const

export const decisions = {
  title: "Decide about many documents",
  consequences: {
    Fiscalised: "They count as fiscalised, and nothing of them is sent again.",
    NotProcessed: "They are sent once more, marked as a retry.",
    Rejected: "They have no receipt, and their corrections may be sent.",
    Acknowledged: "Their state stays, and they need no attention any more.",
    Resend: "They are sent again once each. If the cause is still there, sending stops again.",
    Withdrawn: "They get no receipt. Their tax must be reported in another way. Imported later, they may be too old.",
    Same: "They get no receipt of their own, because the known documents have it."
  } as Readonly<Record<string, string>>,
  typeNumber: (count: number) => `Type ${count.toLocaleString("en")} to confirm that these get no receipt`,
  notTyped: (count: number) => `Nothing was changed. Type ${count.toLocaleString("en")} to confirm.`,
  meant: (count: number) => `${documents(count)} would be decided about:`,
  choose: (count: number) => `Look at ${documents(count)}`,
  nothingLeft: "No document of this cause needs a decision any more.",
  others: (count: number) => `${documents(count)} more are left as they are: the decision does not fit them.`,
  more: (count: number) => `and ${documents(count)} more`,
  decide: (count: number) => `Record this for ${documents(count)}`,
  each: (count: number) =>
    `${documents(count)} may have a receipt, or ${wait(count)} for an operator. Look up each in the gateway's portal, and decide about it on its own page:`,
  changed: "Nothing was changed: other documents are meant now than were shown.",
  seen: "These may still become receipts. Look up each in the gateway's portal: how many does it show as failed?",
  notSeen:
    "Nothing was changed: the portal must show all of them as failed. Otherwise decide about each on its own page.",
  recorded: (count: number, refused: ReadonlyArray<string>) =>
    refused.length === 0
      ? `Recorded for ${documents(count)}.`
      : `Recorded for ${documents(count)}. Not changed: ${refused.join("; ")}.`,
  noDay: "Nothing is listed of this day that can be acknowledged.",
  acknowledge: "Acknowledge",
  acknowledgeText:
    "You have looked at it: it needs no attention any more. Something else about the day is listed again.",
  acknowledged: (codes: ReadonlyArray<string>) => `Acknowledged: ${codes.join(", ")}.`,
  record: "Decisions",
  about: "Who decided what, when and why. Entries are only added; `connector audit verify` checks them.",
  none: "No decision is recorded yet.",
  when: "When",
  who: "Who",
  decision: "Decision",
  subject: "About",
  what: "What"
} as const

export const storeDecisions = {
  older: "Go on with an older copy of the store",
  consequence: "What follows",
  nothingListed: "Nothing is listed that this would settle. Nothing was changed.",
  olderConsequences: (planned: number) => [
    "Only if there is no newer copy. If there is one, close this program and put the newer copy back.",
    "Documents sent after this copy was made are missing in it. Look them up in the gateway's portal.",
    planned === 0
      ? "No document of it waits to be sent."
      : `${documents(planned)} of it ${wait(planned)} to be sent. ${planned === 1 ? "It is" : "They are"} held, and ${are(planned)} sent only by your decision about each.`,
    "Documents that are imported again are held, too, if they may have been sent.",
    "This cannot be taken back. It is recorded with your name and reason."
  ],
  acceptOlder: (planned: number) =>
    planned === 0 ? "Go on with this copy" : `Go on with this copy, and hold ${documents(planned)}`,
  accepted: (held: number) =>
    held === 0
      ? "The copy is the store from now on. Nothing in it was waiting to be sent."
      : `The copy is the store from now on. ${documents(held)} ${are(held)} held: decide about each under Attention. A release is refused while the last request of a document may still arrive.`,
  openAgain: "The item stays under Attention until you go on with sending, or import again.",
  repin: (account: string) => `Move ${account} to another device`,
  before: "Device so far",
  now: "Device that the gateway names now",
  sameDevice: "The gateway names the device that the store knows. There is nothing to move.",
  repinConsequences: (planned: number) => [
    "Only if the device really was replaced. If the key of another device is configured by mistake, correct the configuration.",
    planned === 0
      ? "No document waits to be sent."
      : `${documents(planned)} that ${wait(planned)} to be sent ${planned === 1 ? "goes" : "go"} to the new device. Some get another receipt date.`,
    "It is refused while an outcome of the former device is open.",
    "A live device asks for its consent and its first use again.",
    "It is recorded with your name and reason."
  ],
  others: (lane: string) => `Who uses device ${lane}`,
  whoUses: "Do other tills or programs make receipts on the device?",
  whoUsesIt: {
    others: ["Yes", "Receipts that this store does not have are then theirs."],
    alone: ["No", "Each receipt that this store does not have is then a difference."]
  },
  othersRecorded: "Recorded. A stopped device goes on when you continue sending.",
  move: (lane: string) => `Move to ${lane}`,
  moved: (moved: number, redated: number) =>
    `Moved, with ${documents(moved)} that had not been sent${redated === 0 ? "" : `; ${redated} of them with another receipt date`}.`
} as const

export const health = {
  record: "Show all decisions",
  cancelImport: (id: number) => `End import ${id}`,
  imports: "Show the imports",
  acknowledge: "Acknowledge the day",
  correct: "Correct in the source, and import again",
  importAgain: "Import again, with the code of the first use",
  terminal: {
    sync: "In a terminal: connector sync",
    "source-login": "In a terminal: connector source login",
    "forget-source": "If it is not used, in a terminal: connector source forget",
    dismiss: "If they must not be sent, in a terminal: connector imports dismiss"
  },
  acceptOlder: "Go on with this copy of the store",
  repin: "The device was replaced",
  others: { others: "Other programs use the device", alone: "Only this program uses the device" },
  nobody: "No action needed.",
  needYou: (count: number) => `${plural(count, "thing needs", "things need")} you. Worst first.`,
  noAction: (code: string) => `No action is known: ${code}. Please report it.`,
  notYet: "No action needed yet.",
  since: (moment: string) => `Since ${moment}.`,
  proceed: "Go on with sending",
  decide: (decision: string) => `Decide about all: ${decision}`,
  activity: "Outcomes in the last 24 hours",
  activityLabel: (fiscalised: number, failed: number) =>
    `${fiscalised.toLocaleString("en")} fiscalised, ${failed.toLocaleString("en")} declined or rejected`,
  standing: "Lane",
  idle: "no process is sending at the moment",
  working: "being worked on",
  stopped: "stopped",
  retry: "Looks again at",
  day: "Fiscal day",
  unknownDay: "no outcome has named one yet",
  closed: (at: string) => `the last one was closed at ${at}`,
  oldest: (state: string) => `Oldest that is ${state}`,
  horizon: (days: number) => `${plural(days, "day", "days")} until the gateway no longer answers for the oldest.`,
  show: "Show what needs attention",
  doctor: "The doctor",
  examine: (account: string) => `Look at ${account}`
} as const

export const credit = {
  tabs: { documents: "All documents", credits: "Prepared credit notes" },
  show: { all: "All", prepared: "Prepared", "not-prepared": "Not prepared" },
  title: (count: number, amount: string) =>
    count === 0
      ? "No credit note is prepared"
      : `${plural(count, "credit note is", "credit notes are")} prepared, ${amount}`,
  about:
    "Your books changed after the receipt. Nothing is sent before you send a note here. If your books bring their own note, this one disappears.",
  none: "Your books state every fiscalised invoice as it was sent.",
  look: (number: string) => `Credit note for ${number}`,
  left: (amount: string) => `${amount} left`,
  beside: (number: string) => `Credit note ${number}, beside its invoice`,
  invoice: (number: string) => `Invoice ${number}`,
  note: "Credit note",
  dated: "The note is dated when you send it. It is computed again before it is sent.",
  rows: { fiscalised: "Fiscalised", credited: "Credited", stated: "In your books now", "to-credit": "To credit" },
  balance: "What is left",
  notKnown: "not known",
  full: "Credit the whole invoice instead",
  portal: (receipt: string) => `The portal shows receipt ${receipt}: go on with it`,
  receipt: (receipt: string) => `Credit receipt ${receipt}`,
  credited: (receipt: string) => `The portal shows receipt ${receipt} as credited`,
  number: "Another number for the note",
  reason: "Reason, printed on the receipt",
  why: "Why you say so",
  send: (number: string, amount: string) => `Send ${number}: ${amount}`,
  nothing: {
    "same-figures": "The same figures: there is nothing to credit.",
    "nothing-left": "Nothing is left to credit."
  },
  again: "Remove the cause that the gateway names, then credit the invoice again. The note keeps its number.",
  noReason: "Type the reason. Nothing was sent.",
  underWay: "The note is being sent. Its outcome appears under Documents.",
  more: (count: number) => `and ${count.toLocaleString("en")} more, older ones`
} as const

export const book = {
  asFile: "The settings as a file, for what no screen asks",
  about: `The mapping book: the same file that the command reads. ${DocsPage.docsPage("mapping-book")} explains every field. `,
  save: "Check and save the file",
  saved: "Saved. It counts from the next check.",
  byFile: "Edited as a file",
  changed: "It was changed meanwhile. Nothing was saved: take over what you need, and save again.",
  problems: "Nothing was saved. This is not in order:",
  line: (line: number, column: number) => `Line ${line}, column ${column}: `
} as const

export const settings = {
  title: "Settings",
  about: "For the page and the command. A change counts from the next check. Receipts do not change.",
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
  nothing: "nothing: these documents are not accepted",
  zone: "Time zone of the business",
  zoneHelp: "The dates in your files are days of this zone.",
  lateLabel: "Documents older than the last receipt",
  lateHelp: "You can also decide it for each import.",
  lateChoices: { hold: "are held back until you decide", restamp: "are dated at the moment they are sent" },
  cashBuyer: {
    label: "A buyer without a TIN is named",
    help: "As “Cash sale {name}”; {name} is the name in the file. Empty: the document is not accepted."
  },
  productCode: { label: "Product code of items without one", help: "8 digits. Empty: the document is not accepted." },
  creditReason: { label: "Reason of credit notes without one", help: "Empty: the credit note is not accepted." },
  payment: { label: "Payment method of documents without one", help: "" },
  payments: [
    ["Cash", "cash"],
    ["Card", "card"],
    ["MobileWallet", "mobile wallet"],
    ["Coupon", "coupon"],
    ["Credit", "credit"],
    ["BankTransfer", "bank transfer"],
    ["Other", "other"]
  ] as ReadonlyArray<readonly [string, string]>,
  differ: (changed: number, all: number) =>
    `A file that needs a rule is asked about. ${changed} of ${all} differ from the delivered rule.`,
  has: "What the file has",
  rule: "Rule",
  setBy: "Set by",
  delivered: "as delivered",
  changed: "changed",
  changedTo: (label: string, to: string, from: string) => `${label}: ${to} (before: ${from})`,
  noFiles: "No file is known yet. Answers are kept when you send a file.",
  knownFiles: "Files with the same columns are read with these answers.",
  fileLike: "Files like",
  answered: "Answered",
  says: "Answers",
  policies: {
    charges: {
      label: "Shipping, fees and adjustments beside the lines",
      choices: {
        refuse: "are not accepted",
        "as-line": "are lines, with the tax the file states",
        "as-line-taxed-like-lines": "are lines, with the tax that all lines have"
      }
    },
    negativeLines: {
      label: "A line with a negative amount",
      choices: { refuse: "is not accepted", "as-discount": "is a discount on the lines with the same tax" }
    },
    textLines: {
      label: "A line that is only text",
      choices: { refuse: "is not accepted", append: "is joined to the line before it", drop: "is left out" }
    },
    quantities: {
      label: "A line with an amount and no quantity",
      choices: { stated: "is not accepted", "one-if-missing": "is one piece" }
    },
    unitPrices: {
      label: "A unit price that is missing, or does not give the amount",
      choices: { stated: "is not accepted", "from-line-amount": "is computed from the amount" }
    },
    allocations: {
      label: "A credit note over several invoices",
      choices: { refuse: "is not accepted", largest: "credits the one with the largest amount" }
    },
    longDescriptions: {
      label: "A description that is too long",
      choices: { refuse: "is not accepted", cut: "is cut" }
    },
    namelessBuyers: {
      label: "A buyer with contact details only",
      choices: { refuse: "is not accepted", "walk-in": "is left out, as a walk-in customer" }
    },
    numberSpaces: {
      label: "Spaces in a buyer's number",
      choices: { refuse: "are not accepted", remove: "are taken out" }
    },
    numberZeros: {
      label: "A buyer's number that lacks its leading zero",
      choices: { refuse: "is not accepted", restore: "is sent with a zero before it" }
    },
    addresses: {
      label: "An address that lacks a part",
      choices: { whole: "is left out", "as-stated": "is sent with empty parts" }
    },
    controlCharacters: {
      label: "Characters that cannot be printed",
      choices: { refuse: "are not accepted", remove: "are replaced by a space" }
    }
  } satisfies {
    readonly [Name in keyof MappingBook.Policies]: {
      readonly label: string
      readonly choices: { readonly [Value in MappingBook.Policies[Name]]: string }
    }
  },
  rounding: "Tax is rounded",
  roundings: {
    "per-group": "once for each tax of a document",
    "per-line": "on each line",
    "as-inclusive": "by the device, from amounts with tax"
  },
  taxes: "Taxes",
  currencies: "Currencies",
  paymentsTitle: "Payment methods",
  itemsHelp: "An item without a product code in the file gets the code of its name here: 8 digits, or 4.",
  spelledCode: (spelling: string) => `Code “${spelling}” of the file`,
  newItem: "Another item, named as in the file",
  newCode: "Product code of the other item",
  saveItems: "Save the product codes",
  itemIs: (item: string, code: string) => `${item}: product code ${code}`,
  itemIncomplete: "Nothing was changed: an item needs its name and its product code.",
  spelling: "In the file",
  meaning: "Means",
  since: "Since",
  until: "until",
  change: "Change",
  forget: "Ask again",
  forgotten: (spelling: string) => `“${spelling === "" ? "blank" : spelling}” is asked for again`,
  codeOnly: "only its code",
  blank: "(blank)",
  exempt: "exempt",
  tax: (id: number) => `device tax ${id}`,
  item: "Item",
  code: "Product code",
  noHistory: "Nothing was changed since the page was started.",
  when: "When",
  what: "What"
} as const

const minutes = (count: number): string =>
  count < 1
    ? "less than a minute"
    : count < 90
      ? `about ${plural(Math.ceil(count), "minute", "minutes")}`
      : `about ${plural(Math.round(count / 60), "hour", "hours")}`

export const living = {
  title: {
    sending: "Sending",
    pausing: "Pausing",
    paused: "Paused",
    stopped: "Stopped",
    open: "Not finished",
    "needs-operator": "Needs attention",
    done: "Done"
  },
  needYou: (fiscalised: number, total: number, needing: number) =>
    `${living.fiscalised(fiscalised, total)}, ${needing.toLocaleString("en")} ${needing === 1 ? "needs" : "need"} you`,
  equation: "Counts and amounts",
  inFile: "in the file",
  notKnown: (count: number) => `${count.toLocaleString("en")} of unknown amount`,
  ofWhichTax: (code: string) => `of which tax ${code}`,
  taxNotKnown: "of which tax is not known",
  byDay: "By invoice date",
  ofAll: (done: number, all: number) => `${done.toLocaleString("en")} of ${all.toLocaleString("en")}`,
  rejected: (count: number) => `${documents(count)} ${were(count)} rejected`,
  lookAtThem: (count: number) => `Look at the ${documents(count)}`,
  stayUnderAttention: "They stay under Attention.",
  imported: (at: string) => `Imported ${at}`,
  fiscalised: (count: number, of: number) => `${count.toLocaleString("en")} of ${of.toLocaleString("en")} fiscalised`,
  outcomes: (count: number, of: number) =>
    `${count.toLocaleString("en")} of ${of.toLocaleString("en")} have their outcome`,
  pace: (perMinute: number, left: number, until: string) =>
    `${perMinute < 10 ? perMinute.toFixed(1) : Math.round(perMinute).toLocaleString("en")} a minute in the last 20 seconds · ${minutes(left)} left, until ${until}`,
  pause: "Pause after this one",
  pausing: "The request that is under way ends first. Nothing is lost.",
  paused: "Sending was paused here. What waits is sent when you go on.",
  stopped: "Nothing can be sent at the moment",
  proceed: (count: number) => `Go on: send ${documents(count)}`,
  waiting: (count: number) => `${documents(count)} ${wait(count)} to be sent.`,
  awaited: (count: number) =>
    `${documents(count)} ${wait(count)} for the outcome. The program looks for it while it runs.`,
  lookAgain: "Look for outcomes now",
  live: "I know: these become real tax receipts.",
  held: (count: number) => `${documents(count)} ${are(count)} held back`,
  heldText: "Open each to see why, and to send it or to withdraw it.",
  noRefusedFile:
    "The rows that were not accepted are not here any more. Correct them in your file and import it again: nothing is sent twice.",
  table: "Documents of this import",
  allOf: (count: number) => `All ${documents(count)}`,
  receipts: "QR codes",
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
  title: (number: string) => `Sending stopped at ${number}: we do not know whether it arrived`,
  behind: (count: number) =>
    count === 0
      ? "Nothing else waits behind it."
      : `${documents(count)} ${wait(count)} behind it, so that no receipt is made twice.`,
  look: (number: string, day: string, total: string, buyer: string) =>
    `Look in the gateway's portal for number ${number} of ${day}, ${total}${buyer === "" ? "" : `, ${buyer}`}. What do you see?`,
  there: "It is there",
  thereText: "It is recorded as fiscalised, and sending continues.",
  code: "Verification code, if you see it",
  record: "Record as fiscalised",
  notThere: "It is not there",
  notThereText: "It is sent again, once, and sending continues.",
  notYet: (until: string) => `Until ${until} the request can still arrive. After that it is sent again, once.`,
  sendAgain: "Send it again",
  later: "I cannot tell now",
  laterText: "The others keep waiting. You find this decision under Attention.",
  decideLater: "Decide later",
  because: "Why you say so",
  others: (count: number) => `${plural(count, "more document", "more documents")} of unknown outcome after it.`
} as const

export const heldBack = {
  titles: {
    late: (count: number) => `${documents(count)} ${are(count)} older than the last receipt of this device`,
    historical: (count: number) => `${documents(count)} ${are(count)} dated before the last close of a fiscal day`,
    outdated: (count: number) =>
      `${documents(count)} cannot be dated today: ${count === 1 ? "its" : "their"} taxes, or the original, are no longer good`,
    original: (count: number) =>
      `${documents(count)} ${count === 1 ? "credits an invoice" : "credit invoices"} that cannot be credited yet`,
    credited: (count: number) => `${documents(count)} would credit more than is left of the invoice`,
    contradicted: (count: number) => `${documents(count)} ${were(count)} fiscalised in another version`,
    operator: (count: number) => `${documents(count)} ${wait(count)} for an operator's decision`,
    "before-start": (count: number) => `${documents(count)} ${are(count)} dated before the account begins`,
    "older-copy": (count: number) => `${documents(count)} may have been sent already: the store was an older copy`,
    "rejection-unconfirmed": (count: number) => `${documents(count)} may become a receipt by an earlier request`,
    duplicate: (count: number) => `${documents(count)} may be ${count === 1 ? "a sale" : "sales"} that the store knows`,
    replaces: (count: number) =>
      `${documents(count)} ${count === 1 ? "replaces one" : "replace others"} that may have a receipt`
  },
  consequence: "They are not sent as they are. The others are not affected.",
  keep: "Keep them held, and decide later",
  keepText: "Nothing is lost. Come back to this page, or import again.",
  restamp: "Send them last, dated today",
  restampText: "The receipt gets today's date. Your file and the report keep the date of the invoice.",
  nothingOlder: "No invoice dated before today is left to import",
  sayNothingOlder: "Nothing was changed. Confirm first that no older invoice is left to import.",
  historical: "Send them as a historical batch",
  historicalText: "The device must have the upload permission; it is checked first.",
  leaveOut: "Leave them out",
  leaveOutText: (amount: string) =>
    `No receipt${amount === "" ? "" : ` for ${amount}`}. They are listed as skipped; you can import them again.`,
  apply: (count: number) => `Apply to ${documents(count)}`,
  untilSent: "Can be taken back until they are sent.",
  decidedLate: "Documents older than the last receipt are dated at the moment they are sent.",
  decidedHistorical: "Documents from before the last close are sent as a historical batch.",
  decidedLeftOut: (count: number) => `${documents(count)} ${are(count)} left out by your decision.`,
  takeBack: "Take this back",
  yours: "Decided for this import"
} as const

export const fix = {
  leaveOut: (count: number) => `Leave ${documents(count)} out`,
  apply: (count: number) => `Apply to ${documents(count)} and check again`,
  typing: "Type the right value: the file is not changed.",
  cell: "Value",
  item: "Item",
  row: (line: number) => `Row ${line.toLocaleString("en")}`,
  checkCells: "Check these cells again",
  more: (count: number) =>
    `and ${count.toLocaleString("en")} more: they are in the file of rows that were not accepted.`,
  columns: "Choose the columns again",
  corrected: (count: number) => plural(count, "cell was corrected", "cells were corrected"),
  correctedText: "The file stays as it is. The report lists these changes.",
  was: "In the file",
  is: "Sent as",
  by: "By",
  undo: "Undo",
  notFound: "That cell was not found in the file. Nothing was changed: correct the file, and choose it again.",
  notUsable: "That answer cannot be used. Nothing was changed: type it as the example shows.",
  lastChange: "Kept in the settings",
  undone: "Taken back.",
  used: "This cannot be taken back: documents were sent by it. Change the setting for later imports.",
  changedSince: "This cannot be undone alone: the settings were changed after it. Take the later change back first."
} as const
