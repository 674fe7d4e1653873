/**
 * Prepares the credit note of a fiscalised invoice that no longer holds, and sends it by the
 * operator's decision. A prepared note is computed from the receipts, the open notes and the
 * present statement of the source, and is not stored until it is sent.
 */
import { BigDecimal, Data, DateTime, Effect, Option } from "effect"
import { createHash } from "node:crypto"
import type { AccountFacts } from "../account/AccountFacts.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import { ofLedger } from "../credit/creditRules.ts"
import * as Prepared from "../credit/Prepared.ts"
import * as Receipts from "../day/Receipts.ts"
import * as CivilDate from "../document/CivilDate.ts"
import { numberOf, type UndatedDocument } from "../document/FiscalDocument.ts"
import { CreditNoteId, DocumentNumber, InvoiceId } from "../document/Identifiers.ts"
import * as Money from "../document/Money.ts"
import * as NumberFold from "../document/NumberFold.ts"
import { unseenIn } from "../document/VisibleText.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import * as Finding from "../finding/Finding.ts"
import type { Step } from "../finding/Step.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { MappedCodes } from "../mapping/GatewayMappings.ts"
import { check, checkCredit } from "../preflight/check.ts"
import type * as DeviceFacts from "../preflight/DeviceFacts.ts"
import * as Runner from "../sending/Runner.ts"
import type { StatusPoller } from "../sending/StatusPoller.ts"
import { type Submitter, SubmitterConfigError } from "../sending/Submitter.ts"
import type { CodeMeaning } from "../submission/ledger/Original.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionKey } from "../submission/PlannedDocument.ts"
import { moving, type State, type Submission } from "../submission/Submission.ts"
import type { NoteOnInvoice, StatedInvoice } from "../submission/ledger/CreditFamily.ts"
import type { InvoiceFamily } from "../submission/SubmissionQuery.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Rounding from "../translate/Rounding.ts"
import type { Translated } from "../translate/Translated.ts"
import * as Facts from "./Facts.ts"
import * as LateBy from "./LateBy.ts"

export { formatted } from "../credit/Prepared.ts"

/** Reason why nothing is prepared for a document. */
export type Hindrance =
  | Prepared.CreditHindrance
  | { readonly _tag: "NotFiscalised"; readonly state: State }
  | { readonly _tag: "NoInvoice" }
  /** Only an operator has stated the receipt. */
  | { readonly _tag: "OnlyClaimed" }
  /** A request of the invoice may have made another receipt. */
  | { readonly _tag: "OpenRequest" }
  | { readonly _tag: "SeveralReceipts"; readonly receipts: number }
  | { readonly _tag: "OpenConflict"; readonly code: InvoiceFamily["conflicts"][number] }
  | { readonly _tag: "Forgotten" }
  /** A note prepared earlier waits or is under way. */
  | { readonly _tag: "NoteOpen"; readonly number: string; readonly state: string }
  /** The number, or another spelling of it, belongs to another document. */
  | { readonly _tag: "NumberTaken"; readonly number: string; readonly other: string }
  | { readonly _tag: "NumberTooLong"; readonly number: string }
  /** The number has an invisible character, or a blank at an end. */
  | { readonly _tag: "NumberUnseen"; readonly character: string }
  /** The gateway maps a code of the invoice to something else now (RCPT036), or not at all. */
  | { readonly _tag: "MappedOtherwise"; readonly code: string }

/** A prepared note that can be sent. */
export interface ReadyNote {
  readonly prepared: Prepared.Made
  readonly number: DocumentNumber
  readonly id: CreditNoteId
  /** Findings of the device's rules. With an error among them the note is not sent. */
  readonly findings: ReadonlyArray<Finding.Finding>
}

/** The balance of an invoice, and the note that is prepared for it. */
export interface Preview {
  readonly invoice: Submission
  /** Null if the receipt is not known. */
  readonly receipt: Receipts.DeviceReceipt | null
  readonly stated: StatedInvoice["_tag"]
  readonly balance: Prepared.Balance | null
  /** Documents that the note makes late, because it is dated today. */
  readonly late: LateBy.LateBy | null
  readonly notes: ReadonlyArray<Pick<NoteOnInvoice, "number" | "state" | "made" | "standing">>
  readonly result:
    | ({ readonly _tag: "Ready" } & ReadyNote)
    | { readonly _tag: "NothingToCredit"; readonly because: "same-figures" | "nothing-left" }
    | { readonly _tag: "Hindered"; readonly by: Hindrance }
}

/** Choice of the operator about the note. */
export interface CreditOrder {
  readonly key: SubmissionKey
  /** `everything`: all that is left, whatever the source states. Default `difference`. */
  readonly amount?: "difference" | "everything"
  /** Number of the note. Default: the invoice's number with `-C1`, `-C2` and so on. */
  readonly number?: DocumentNumber | undefined
}

/** Nothing was sent. `Differs`: the note is not the one that the operator saw. */
export class CreditRefused extends Data.TaggedError("CreditRefused")<{
  readonly reason:
    | ({ readonly _tag: "NotReady" } & Explained)
    | { readonly _tag: "Differs"; readonly seen: Money.Money; readonly is: Money.Money }
    | { readonly _tag: "NotPlanned"; readonly because: string }
}> {}

/** Longest number that the device takes (DOC-11). */
const longestNumber = 50

/** Returns number and id of the next note. A refused note keeps both. */
const nextOf = ({ notes, requests: { id, number } }: InvoiceFamily): Pick<NoteOnInvoice, "id" | "number"> => {
  const own = notes.filter(({ made }) => made === "here")
  const refused = own.find(({ state }) => state === "Rejected" || state === "Declined")
  if (refused !== undefined) return refused
  const nth = own.filter(({ state }) => state === "Fiscalised" || state === "Withdrawn").length + 1
  return { id: `${id}:credit-${nth}`, number: `${number}-C${nth}` }
}

/** The zone of the invoice's receipt, in which its note is dated. */
const zoneOf = ({ requests: { receiptDate } }: InvoiceFamily, { zone }: Pick<AccountFacts, "zone">) =>
  receiptDate !== null && DateTime.isZoned(receiptDate) ? receiptDate.zone : zone

const hindranceOf = (
  { conflicts, notes, requests, texts }: InvoiceFamily,
  { candidates, receipts }: Receipts.OfDocument
): Hindrance | undefined => {
  if (requests.kind !== "invoice") return { _tag: "NoInvoice" }
  if (requests.state !== "Fiscalised") return { _tag: "NotFiscalised", state: requests.state }
  if (receipts.length > 1) return { _tag: "SeveralReceipts", receipts: receipts.length }
  if (candidates.length > 0) return { _tag: "OpenRequest" }
  // a document that was never sent has no receipt date
  if (receipts.every(({ by }) => by === "operator") || requests.receiptDate === null) return { _tag: "OnlyClaimed" }
  const [code] = conflicts
  if (code !== undefined) return { _tag: "OpenConflict", code }
  if (texts === "forgotten") return { _tag: "Forgotten" }
  const open = notes.find(({ made, standing }) => made === "here" && standing === "open")
  return open && { _tag: "NoteOpen", number: open.number, state: open.state }
}

/** Returns what of a number is not seen on a receipt. */
const unseenOf = (number: string): string | undefined =>
  unseenIn(number)?.character ?? (number.trim() === number ? undefined : "a blank at an end")

/** Returns a code that the gateway maps to something else than the receipt's. */
const mappedOtherwise = (mapped: MappedCodes, content: Prepared.NoteContent, meaning: CodeMeaning) => {
  const codes = new Set(content.lineItems.map(({ taxCode }) => String(taxCode)))
  const tax = meaning.taxes.find(
    ([code, device]) =>
      codes.has(code) &&
      !mapped.taxes.some(({ destinationTaxId, taxCode }) => taxCode === code && destinationTaxId === device)
  )
  if (tax !== undefined) return tax[0]
  return mapped.currencies.some(
    ({ destinationCurrency, sourceCurrency }) =>
      sourceCurrency === content.currencyCode && destinationCurrency === meaning.currency
  )
    ? undefined
    : String(content.currencyCode)
}

const documentOf = (
  content: Prepared.NoteContent,
  { id, invoice, number, reference }: Pick<ReadyNote, "id" | "number"> & { invoice: string; reference: string }
): UndatedDocument => ({
  kind: "credit-note",
  payload: {
    creditNoteId: id,
    originalInvoiceId: InvoiceId.make(invoice),
    creditNoteNumber: number,
    reference,
    ...content
  }
})

/** Provenance of a document without an export. */
const preparedHere = { file: "(prepared here)" }

/** Checks the note by the rules of every credit note. */
const findingsOf = (
  family: InvoiceFamily,
  { balance, content }: Prepared.Made,
  document: UndatedDocument,
  account: Pick<AccountFacts, "tolerances" | "zone">,
  device: DeviceFacts.DeviceFacts,
  now: DateTime.DateTime
): ReadonlyArray<Finding.Finding> => {
  const { document: invoice, meaning } = family.sent
  const zone = zoneOf(family, account)
  const today = CivilDate.inZone(now, zone)
  const day = CivilDate.inZone(family.requests.receiptDate ?? now, zone)
  const used = new Set(content.lineItems.map(({ taxCode }) => taxCode))
  const translated: Translated = {
    completeness: "complete",
    document,
    date: today,
    taxDate: day,
    taxes: new Map([...Rounding.keptTaxes(meaning!.taxes)].filter(([code]) => used.has(code))),
    deviceCurrency: meaning!.currency,
    origins: content.lineItems.map((_, n) => ["lines", n])
  }
  const source = { where: () => preparedHere }
  const { buyerContact: buyer, currencyCode: currency, lineItems: lines, total } = invoice.payload
  const taxCodes = [...new Set(lines.map(({ taxCode }) => taxCode))]
  const number = numberOf(invoice)
  const figures = { number, currency, total, taxCodes, buyer, lines, meaning: meaning! }
  const original = { ...ofLedger(figures, day, { taxes: [], currencies: [] }), credited: balance.credited.total }
  const { tolerances } = account
  return [...check(source, translated, { device, tolerances }), ...checkCredit(source, translated, original, today)]
}

/** Prepares the note of an invoice, if the store has it. Sends and writes nothing. */
export const prepare = (
  account: AccountFacts,
  { amount = "difference", key, number: given }: CreditOrder
): Effect.Effect<Option.Option<Preview>, GatewayError | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const [found, invoice] = [yield* store.family(key), yield* store.get(key)]
    if (Option.isNone(found) || Option.isNone(invoice)) return Option.none()
    const family = found.value
    const { lane } = family.requests
    const ofDocument = Receipts.ofDocument(family.requests, lane, yield* store.repeatedCodes(lane))
    const prepared = Prepared.prepare(family, amount)
    const hindrance = hindranceOf(family, ofDocument)
    const about = {
      invoice: invoice.value,
      receipt: ofDocument.receipts[0] ?? null,
      stated: family.stated._tag,
      // without one proven receipt, the figures of the document are not those of its receipt
      balance: hindrance === undefined || hindrance._tag === "NoteOpen" ? prepared.balance : null,
      late: yield* LateBy.dated(invoice.value, new Set(), zoneOf(family, account)),
      notes: family.notes
    }
    const as = (result: Preview["result"]) => Option.some<Preview>({ ...about, result })
    const hindered = (by: Hindrance) => as({ _tag: "Hindered", by })
    if (hindrance !== undefined) return hindered(hindrance)
    if (prepared._tag === "Nothing") return as({ _tag: "NothingToCredit", because: prepared.because })
    if (prepared._tag === "Hindered") return hindered(prepared.by)
    const next = nextOf(family)
    const id = CreditNoteId.make(next.id)
    const number = given ?? DocumentNumber.make(next.number)
    if (number.length > longestNumber) return hindered({ _tag: "NumberTooLong", number })
    const unseen = unseenOf(number)
    if (unseen !== undefined) return hindered({ _tag: "NumberUnseen", character: unseen })
    const alike = yield* store.ledger.alike(account.destination.taxpayer, [NumberFold.of(number)])
    const other = alike.find((one) => one.kind !== "credit-note" || one.account !== key.account || one.id !== id)
    if (other !== undefined) return hindered({ _tag: "NumberTaken", number, other: other.number })
    const device = yield* Facts.read(account)
    const { mappings } = device
    // our own sandbox is set up from the book; elsewhere mappings that are not known hinder
    const isOwn = account.destination.environment === "sandbox"
    const code =
      mappings === null
        ? isOwn
          ? undefined
          : String(prepared.content.currencyCode)
        : mappedOtherwise(mappings, prepared.content, family.sent.meaning!)
    if (code !== undefined) return hindered({ _tag: "MappedOtherwise", code })
    // the reason comes later, and RCPT034 asks only if there is one
    const document = documentOf(prepared.content, { id, number, invoice: key.id, reference: "reason" })
    const findings = findingsOf(family, prepared, document, account, device, yield* DateTime.now)
    return as({ _tag: "Ready", prepared, number, id, findings })
  })

/** True if the note of a preview can be sent. */
export const isReady = ({ result }: Preview): boolean =>
  result._tag === "Ready" && !result.findings.some(Finding.refuses)

/** Says why a note is not sent. Names no buyer: an error may reach a log. */
const refusalOf = (result: Preview["result"]): Explained => {
  switch (result._tag) {
    case "Hindered":
      return explain(result.by)
    case "NothingToCredit":
      return result.because === "nothing-left"
        ? { because: "nothing is left to credit", fix: "" }
        : { because: "the receipts already agree with the source", fix: "" }
    case "Ready": {
      const refusing = result.findings.filter(Finding.refuses)
      const because = refusing.map(({ code, message }) => `${code}: ${message}`).join("; ")
      return { because, fix: refusing[0]?.fix ?? "" }
    }
  }
}

/** Decision of the operator to send a prepared note. */
export interface CreditDecision extends CreditOrder {
  /** The operator's reason, printed on the receipt as its Reference (RCPT034). */
  readonly because: string
  /** Total that the operator has seen. Default: the total at the time of sending. */
  readonly total?: Money.Money
}

/** Result of sending a prepared note. */
export interface Credited {
  readonly preview: Preview
  /** The note after the run. */
  readonly note: Submission
  readonly settlement: Runner.Settlement
}

/**
 * Prepares the note again, plans it, and sends until its outcome is known or patience ends. Fails
 * with `CreditRefused` if the note cannot be sent, or is not the one that the operator saw.
 */
export const send = (
  account: OpenAccount.OpenAccount,
  decision: CreditDecision,
  options: Runner.RunOptions = {}
): Effect.Effect<
  Option.Option<Credited>,
  CreditRefused | GatewayError | StoreError | SubmitterConfigError,
  StatusPoller | SubmissionStore | Submitter
> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const { id: storeId } = yield* store.identity
    if (!OpenAccount.isFor(account, storeId))
      return yield* new SubmitterConfigError({ problem: "the account was opened for another store than this" })
    const found = yield* prepare(account, decision)
    if (Option.isNone(found)) return Option.none()
    const preview = found.value
    const { result } = preview
    if (result._tag !== "Ready" || !isReady(preview))
      return yield* new CreditRefused({ reason: { _tag: "NotReady", ...refusalOf(result) } })
    const { id, number, prepared } = result
    const { total } = prepared.figures
    if (decision.total !== undefined && !BigDecimal.equals(decision.total, total))
      return yield* new CreditRefused({ reason: { _tag: "Differs", seen: decision.total, is: total } })
    const family = Option.getOrThrow(yield* store.family(decision.key))
    const reference = decision.because.trim()
    const document = WrittenDocument.of(
      documentOf(prepared.content, { id, number, invoice: decision.key.id, reference })
    )
    const now = yield* DateTime.now
    const zone = zoneOf(family, account)
    const key: SubmissionKey = { account: account.account, kind: "credit-note", id }
    const [planned] = yield* store.plan([
      {
        ...account.destination,
        document,
        meaning: family.sent.meaning!,
        fingerprint: createHash("sha256").update(document.text).digest("hex"),
        sourceDate: CivilDate.inZone(now, zone),
        receiptDate: "at-submission",
        dated: "assigned",
        original: decision.key,
        prepared: {
          beside: family.notes.filter(({ made }) => made === "source"),
          decision: {
            act: "credit",
            account: account.account,
            subject: `invoice ${preview.invoice.number}`,
            what: `credit note ${number}, ${preview.invoice.currency} ${Money.formatAmount(total)}`,
            because: reference
          }
        },
        held: null,
        zone: DateTime.zoneToString(zone),
        validUntil: CivilDate.yearAfter(CivilDate.inZone(family.requests.receiptDate ?? now, zone)),
        late: "restamp",
        source: preparedHere
      }
    ])
    const { hold, state, verdict } = planned!
    if (state !== "Planned") {
      const because =
        hold?.because ??
        (verdict._tag === "NumberTaken"
          ? `the number ${number} was given to another document meanwhile`
          : verdict._tag === "OtherLane"
            ? "the account has another device now"
            : `${number} is ${state} already`)
      return yield* new CreditRefused({ reason: { _tag: "NotPlanned", because } })
    }
    const settlement = yield* Runner.run([account], options)
    return Option.some({ preview, note: Option.getOrThrow(yield* store.get(key)), settlement })
  })

/** A hindrance in words, with the way out. */
export interface Explained {
  readonly because: string
  readonly fix: string
  /** Step about the note `number`, or about the invoice if no number is given. */
  readonly step?: Step
  readonly number?: string
}

/** A look at the document shows the decisions that it takes. */
const look: Step = { do: "explain" }

/** Describes a hindrance, with the way out. */
export const explain = (by: Hindrance): Explained => {
  switch (by._tag) {
    case "NotFiscalised":
      return {
        because: `it is ${by.state}, and has no receipt that could be credited`,
        fix: "Decide about the document itself first.",
        step: look
      }
    case "NoInvoice":
      return { because: "it is a credit note", fix: "Name the invoice that it credits." }
    case "OnlyClaimed":
      return {
        because: "its receipt is known by an operator's word only",
        fix: "Look it up in the gateway's portal, and record its verification code first."
      }
    case "OpenRequest":
      return {
        because: "a request of it may have made another receipt",
        fix: "Decide about that request first.",
        step: look
      }
    case "SeveralReceipts":
      return {
        because: `it has ${by.receipts} receipts, and a credit note names the invoice, not a receipt`,
        fix: "Credit the surplus receipt in the gateway's portal."
      }
    case "OpenConflict":
      return {
        because: `the conflict ${by.code} about its receipts is open`,
        fix: "Decide about the conflict first.",
        step: look
      }
    case "Forgotten":
      return {
        because: "its texts were forgotten, so its lines are not known",
        fix: "Issue the credit note in the source and import it."
      }
    case "NoteOpen":
      return {
        because: `its credit note ${by.number} is ${by.state}`,
        ...(moving.some((state) => state === by.state)
          ? { fix: "Continue that note.", step: { do: "resume" } }
          : { fix: "Decide about that note first.", step: look, number: by.number })
      }
    case "NumberTaken":
      return {
        because:
          by.other === by.number
            ? `the number ${by.number} belongs to another document (RCPT013)`
            : `the number ${by.number} differs only in its spelling from ${by.other}, which belongs to another document`,
        fix: "Give the note another number."
      }
    case "NumberTooLong":
      return {
        because: `the number ${by.number} is longer than ${longestNumber} characters`,
        fix: "Give the note a shorter number."
      }
    case "NumberUnseen":
      return {
        because: `the number of the note has a character that is not seen: ${by.character}`,
        fix: "Give the note a number of visible characters."
      }
    case "MappedOtherwise":
      return {
        because: `the gateway maps ${by.code} to something else now than on the receipt (RCPT036)`,
        fix: "Restore the mapping, or issue the credit note in the source under the present codes."
      }
    case "StatementNotKnown":
      return { because: by.because, fix: "Import the document again, or credit everything that is left." }
    case "Risen":
      return {
        because: "a tax rose, and a credit note can only lower it",
        fix: "Issue another invoice in the source for the rest, or put the document back as its receipts are; or credit everything that is left and issue it again."
      }
    case "FiguresUnclear":
      return {
        because: "the figures of its receipts do not add up here",
        fix: "Look in the gateway's portal what is left, and issue the credit note in the source."
      }
    case "NoteUnclear":
      return {
        because: `it is not clear if its credit note ${by.number} has a receipt`,
        fix: "Decide about that note first.",
        step: look,
        number: by.number
      }
    case "MeaningNotKept":
      return {
        because: `${by.number} was planned by an earlier version, which did not keep the meaning of its codes`,
        fix: "Issue the credit note in the source and import it."
      }
  }
}
