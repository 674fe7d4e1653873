/** Schemas of the data of each answer of the command, published in docs/schemas/output. */
import { Schema } from "effect"
import type { EnvelopeKind } from "../../packages/cli/src/output/Output.ts"
import { SupportBundle } from "../../packages/cli/src/support/SupportBundle.ts"
import { places, treatments, valuesStated } from "../../packages/core/src/finding/Statement.ts"
import { OpenQuestion } from "../../packages/core/src/question/OpenQuestion.ts"
import type { OutcomeRecord } from "../../packages/core/src/submission/OutcomeRecord.ts"

const { Array: List, Int, Literals, NullOr, Record, String: Text, Struct, Union, Unknown, optionalKey } = Schema

const ExitCode = Literals([0, 1, 2, 3, 4])
const kind = Literals(["invoice", "credit-note"])

const Place = Struct({
  file: Text,
  line: optionalKey(Int),
  column: optionalKey(Int),
  columnName: optionalKey(Text),
  pointer: optionalKey(Text),
  text: optionalKey(Text)
})

const Finding = Struct({
  code: Text,
  severity: Literals(["error", "warning"]),
  message: Text,
  detail: optionalKey(Text),
  consequence: Text,
  fix: Text,
  answers: optionalKey(List(Unknown)),
  steps: optionalKey(List(Struct({ do: Text }))),
  path: List(Union([Text, Int])),
  at: optionalKey(Place),
  statements: optionalKey(
    List(
      Struct({
        place: Literals(places),
        name: Text,
        samples: List(Text),
        values: Literals(valuesStated),
        treatment: Literals(treatments),
        reason: optionalKey(Text)
      })
    )
  )
})

/** An outcome as flat texts: empty where the outcome has null. Each field is one of the outcome. */
const outcome = {
  account: Text,
  kind,
  id: Text,
  number: Text,
  state: Text,
  since: Text,
  receiptDate: Text,
  currency: Text,
  total: Text,
  requestId: Text,
  verificationCode: Text
} satisfies { readonly [Field in keyof OutcomeRecord]?: Schema.Top }

const Submission = Struct({
  ...outcome,
  why: Text,
  codes: Text,
  source: Text
})

const Spelling = Struct({
  spelling: Text,
  count: Int,
  examples: List(Text),
  percents: optionalKey(List(Schema.Finite))
})

const Check = Struct({
  name: Text,
  state: Literals(["fine", "look", "broken", "not-asked"]),
  said: Text,
  findings: List(Finding)
})

const FileRecord = Struct({ name: Text, bytes: Int, sha256: Text })

const total = { state: Text, currency: Text, kind, documents: Int, total: Text }
const Total = Struct(total)
const TaxTotal = Struct({ ...total, taxCode: NullOr(Text), net: NullOr(Text), tax: NullOr(Text) })

/** A document of a live source. */
const sourceDocument = { kind: NullOr(kind), id: Text, number: Text, codes: List(Text) }

/** An attention item: documents that need an operator before they become receipts. */
const Item = Struct({
  code: Text,
  cause: NullOr(Text),
  account: NullOr(Text),
  lane: NullOr(Text),
  documents: Int,
  since: Text,
  text: Text,
  consequence: Text,
  until: Text,
  actions: List(
    Struct({
      step: Record(Text, Unknown),
      effect: Literals(["settles", "shows"]),
      account: NullOr(Text),
      document: NullOr(Text)
    })
  )
})

/** A lane that was not drained. */
const LaneLeft = Struct({ lane: Text, end: Text, for: NullOr(Text), because: Text })

export const outputSchemas = {
  error: Struct({ exitCode: ExitCode, message: Text }),
  questions: Struct({
    exitCode: ExitCode,
    questions: List(
      Struct({
        id: Text,
        subject: optionalKey(Literals(["contents"])),
        file: Text,
        question: Text,
        readings: List(Struct({ id: optionalKey(Text), reading: Text, examples: List(Text), answer: Unknown })),
        proposal: optionalKey(Text)
      })
    )
  }),
  unreadable: Struct({
    exitCode: ExitCode,
    reason: Literals(["ExportUnreadable", "InputFailed", "AdapterBroke"]),
    file: Text,
    problem: Text,
    fix: optionalKey(Text),
    answers: optionalKey(List(Unknown)),
    document: optionalKey(Text)
  }),
  document: Struct({
    kind: NullOr(kind),
    id: NullOr(Text),
    number: Text,
    payload: NullOr(Record(Text, Unknown)),
    findings: List(Finding),
    source: Place,
    state: Text,
    requestId: NullOr(Text),
    verificationCode: NullOr(Text),
    said: NullOr(Text),
    cause: NullOr(Text),
    replaces: NullOr(Text),
    codes: List(Struct({ code: Text, meaning: Text, fix: Text }))
  }),
  "import-summary": Struct({
    documents: Int,
    counts: Record(Text, Int),
    totals: List(Total),
    taxes: List(TaxTotal),
    strays: List(Finding),
    unmapped: List(Record(Text, Unknown)),
    refusedFile: NullOr(Text),
    lanes: List(LaneLeft),
    incompleteImports: List(Int),
    concerns: List(Item),
    alreadyFiscalised: Int,
    exitCode: ExitCode
  }),
  "source-login": Struct({ source: Text, tenant: Text, company: Text, tokenFile: Text }),
  "source-forgotten": Struct({ source: Text, documents: Int }),
  "sync-report": Struct({
    source: Text,
    tenant: Text,
    mode: Literals(["first-plan", "plan", "quiet", "sent"]),
    read: Int,
    new: Int,
    changed: Int,
    unchanged: Int,
    refused: Int,
    skipped: Record(Text, Int),
    goLive: Struct({ day: Text, before: Int, after: Int }),
    states: Record(Text, Int),
    refusedDocuments: List(Struct({ ...sourceDocument, replaces: NullOr(Text) })),
    gone: List(Struct(sourceDocument)),
    standing: List(
      Struct({
        kind: NullOr(Text),
        id: Text,
        number: Text,
        state: Text,
        codes: List(Text),
        changed: NullOr(Text),
        cancelled: NullOr(Text),
        replaces: NullOr(Text),
        since: NullOr(Text)
      })
    ),
    calls: Int,
    exitCode: ExitCode
  }),
  import: Struct({
    id: Int,
    at: Text,
    account: Text,
    taxpayer: Text,
    lane: Text,
    environment: Text,
    adapter: Text,
    files: List(FileRecord),
    book: NullOr(FileRecord),
    settings: Record(Text, Unknown),
    standing: Literals(["begun", "accepted", "whole", "incomplete", "cancelled", "unfinished"]),
    rest: Int,
    documents: Int,
    refused: Int,
    skipped: Int,
    counts: optionalKey(Record(Text, Int)),
    totals: optionalKey(List(Total)),
    taxes: optionalKey(List(TaxTotal))
  }),
  "open-questions": Struct({
    exitCode: ExitCode,
    questions: List(OpenQuestion),
    /** Subjects with an answer. */
    answered: List(Text),
    next: Text
  }),
  "export-contents": Struct({
    documents: NullOr(Int),
    skipped: NullOr(Int),
    period: NullOr(Struct({ from: Text, to: Text })),
    totals: List(Struct({ kind, currency: Text, documents: Int, total: Text, stated: Int })),
    questions: List(OpenQuestion),
    unsettled: List(Struct({ code: Text, message: Text, fix: Text, documents: Int, examples: List(Text) })),
    next: Text
  }),
  submission: Submission,
  original: Struct({
    account: Text,
    id: Text,
    number: Text,
    date: Text,
    currency: Text,
    total: Text,
    credited: Text
  }),
  health: Struct({
    at: Text,
    counts: Record(Text, Int),
    lanes: List(Record(Text, Unknown)),
    secondsToHorizon: NullOr(Schema.Finite),
    unmatched: Int,
    concerns: List(Item)
  }),
  explanation: Struct({
    submission: Record(Text, Unknown),
    document: Struct({ kind, payload: Record(Text, Unknown) }),
    attempts: List(Record(Text, Unknown)),
    timeline: List(Record(Text, Unknown)),
    conflicts: List(Record(Text, Unknown)),
    failures: List(Record(Text, Unknown)),
    candidates: List(Record(Text, Unknown))
  }),
  resumption: Struct({
    finished: List(Submission),
    open: List(Submission),
    lanes: List(LaneLeft),
    concerns: List(Item)
  }),
  cancellation: Struct({ id: Int, dropped: Int }),
  dismissal: Struct({ account: Text, numbers: List(Text) }),
  "refused-document": Struct({
    account: Text,
    name: Text,
    origin: Text,
    kind: NullOr(Text),
    number: Text,
    day: NullOr(Text),
    content: Text,
    codes: List(Text),
    firstAt: Text,
    lastAt: Text,
    lateAt: NullOr(Text),
    standing: Literals(["open", "dismissed"])
  }),
  "audit-entry": Struct({
    id: Int,
    at: Text,
    who: Text,
    act: Text,
    account: NullOr(Text),
    subject: Text,
    what: Text,
    because: NullOr(Text),
    becauseDigest: Text,
    digest: Text
  }),
  "audit-verified": Struct({ entries: Int, digest: Text }),
  decision: Struct({
    account: Text,
    kind,
    id: Text,
    number: Text,
    from: Text,
    to: Text,
    refused: optionalKey(Text)
  }),
  file: Struct({ file: Text, bytes: Int }),
  pdfs: Struct({
    folder: Text,
    written: Int,
    there: Int,
    missing: List(Struct({ number: Text, problem: Text }))
  }),
  "store-backup": Struct({
    file: Text,
    bytes: Int,
    submissions: Int,
    kept: optionalKey(Int),
    removed: optionalKey(List(Text))
  }),
  "store-copied": Struct({ from: Text, to: Text, rows: Record(Text, Int) }),
  "store-accepted": Struct({ store: Text, held: Int }),
  repinned: Struct({ account: Text, from: Text, to: Text, moved: Int, redated: Int }),
  "accepted-unknown": Struct({ account: Text, fact: Text, because: Text }),
  "day-acknowledged": Struct({ account: Text, day: Int, codes: List(Text) }),
  "prepared-credit": Struct({
    invoice: Submission,
    stated: Text,
    balance: NullOr(Record(Text, NullOr(Record(Text, Text)))),
    credit: NullOr(
      Struct({
        number: Text,
        form: Text,
        of: Text,
        afterwards: Text,
        net: Text,
        tax: Text,
        total: Text,
        findings: List(Finding)
      })
    ),
    because: NullOr(Text),
    fix: NullOr(Text),
    remarks: List(Text)
  }),
  creditable: Struct({ invoices: List(Submission) }),
  credited: Struct({ invoice: Text, note: Submission }),
  "other-programs": Struct({ account: Text, device: Text, stated: Text }),
  "trusted-origin": Struct({ account: Text, origin: Text }),
  checks: Struct({ checks: List(Check) }),
  configuration: Struct({
    file: Text,
    store: Unknown,
    accounts: List(Record(Text, Unknown)),
    books: List(Text),
    findings: List(Finding)
  }),
  assumptions: Struct({ assumptions: List(Struct({ id: Text, takes: Text, strength: Text, wrongIf: Text })) }),
  "z-reports": Struct({ days: List(Record(Text, Unknown)), findings: List(Finding) }),
  "z-report": Struct({
    day: Record(Text, Unknown),
    comparison: NullOr(Record(Text, Unknown)),
    standing: Unknown,
    differences: List(Record(Text, Unknown)),
    missing: List(Record(Text, Unknown)),
    others: List(Record(Text, Unknown)),
    indistinct: List(Record(Text, Unknown)),
    findings: List(Finding)
  }),
  reconciliation: Struct({
    account: Text,
    taxpayer: Text,
    device: Text,
    period: Struct({ from: Text, to: Text }),
    at: Text,
    legs: List(
      Struct({
        name: Text,
        compared: NullOr(Text),
        notPossible: List(
          Struct({
            count: Int,
            because: Text,
            is: Literals(["open-day", "left-out", "examined"]),
            id: optionalKey(Text)
          })
        )
      })
    ),
    chains: NullOr(List(Struct({ currency: Text, rows: List(Record(Text, Unknown)), device: Record(Text, Unknown) }))),
    opening: List(Record(Text, Unknown)),
    closing: List(Record(Text, Unknown)),
    differences: List(
      Struct({
        id: Text,
        code: Text,
        grade: Literals(["proven", "fits", "possible", "unexplained"]),
        currency: NullOr(Text),
        amount: NullOr(Schema.Finite),
        documents: List(Struct({ account: Text, number: Text })),
        text: Text,
        step: Struct({ do: Text }),
        acknowledged: NullOr(Text)
      })
    ),
    days: List(Struct({ day: Int, standing: Unknown })),
    notes: List(Text),
    changedSinceReport: NullOr(Text),
    decisions: List(Record(Text, Unknown))
  }),
  "difference-acknowledged": Struct({ id: Text }),
  originals: Struct({
    registered: Int,
    known: Int,
    held: List(Text),
    differing: List(Text),
    fiscalisedHere: List(Text),
    passedOver: Int,
    taken: List(Text),
    findings: List(Struct({ number: optionalKey(Text), finding: Finding }))
  }),
  "webhook-check": Struct({
    url: Text,
    account: Text,
    deliveries: List(Struct({ sent: Text, answer: Union([Text, Int]), problems: List(Text) }))
  }),
  codes: Struct({ codes: List(Struct({ code: Text, meaning: optionalKey(Text), fix: optionalKey(Text) })) }),
  topics: Struct({ topics: List(Struct({ topic: Text, title: Text, url: Text })) }),
  page: Struct({ topic: Text, url: Text, text: Text }),
  book: Struct({ file: Text, book: Record(Text, Unknown) }),
  spelling: Struct({ spelling: Text }),
  "book-draft": Struct({
    file: Text,
    taxes: List(Spelling),
    currencies: List(Spelling),
    payments: List(Spelling)
  }),
  "column-map": Struct({ file: Text, text: Text }),
  "mappings-plan": Struct({
    account: Text,
    steps: List(Struct({ step: Text, consequence: Text })),
    findings: List(Finding),
    file: NullOr(Text)
  }),
  "mappings-step": Struct({ step: Text, when: Literals(["now", "before"]) }),
  "mappings-applied": Struct({ account: Text }),
  "mappings-pulled": Struct({
    book: Text,
    is: Literals(["drafted", "added to", "unchanged"]),
    taxes: Int,
    currencies: Int
  }),
  "gateway-answer": Unknown,
  initialised: Struct({ configuration: Text, book: NullOr(Text), checks: List(Check), next: List(Text) }),
  reading: Struct({ is: Literals(["document", "skipped", "finding"]), text: Text }),
  readings: Struct({ documents: Int, skipped: Int, findings: Int }),
  "facts-draft": Struct({ file: Text }),
  "adapter-check": Struct({ name: Text, problem: NullOr(Text) }),
  "adapter-checked": Struct({ checks: Int, failed: Int }),
  "adapter-created": Struct({ name: Text, text: Text }),
  forgetting: Struct({ store: Text, before: Text, documents: Int, imports: Int, is: Literals(["done", "looked"]) }),
  "support-bundle": SupportBundle,
  listening: Struct({ addresses: List(Text), linkFile: optionalKey(Text) }),
  "sandbox-event": Record(Text, Unknown)
} satisfies Readonly<Record<EnvelopeKind, Schema.Top>>
