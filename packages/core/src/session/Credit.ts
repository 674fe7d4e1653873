/**
 * Prepares the credit note of a fiscalized invoice that no longer holds, and sends it by the
 * operator's decision. A prepared note is computed from the receipts, the open notes and the
 * present statement of the source, and is not stored until it is sent.
 */
import { BigDecimal, Data, DateTime, Effect, Option } from "effect"
import { createHash } from "node:crypto"
import type { AccountFacts } from "../account/AccountFacts.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import * as CreditNumber from "../submission/ledger/CreditNumber.ts"
import { ofLedger } from "../credit/creditRules.ts"
import * as Prepared from "../credit/Prepared.ts"
import * as ShownMeaning from "../credit/ShownMeaning.ts"
import * as Receipts from "../day/Receipts.ts"
import * as CivilDate from "../document/CivilDate.ts"
import { numberOf, type UndatedDocument } from "../document/FiscalDocument.ts"
import { CreditNoteId, DocumentNumber, InvoiceId } from "../document/Identifiers.ts"
import type { LineItem } from "../document/LineItem.ts"
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
import { isOfSource, moving, type State, type Submission } from "../submission/Submission.ts"
import {
  basisOf,
  counting,
  type FamilyDocument,
  type NoteOnInvoice,
  receiptName as nameOfReceipt,
  type StatedInvoice,
  surplusOf
} from "../submission/ledger/CreditFamily.ts"
import type { InvoiceFamily, OtherPrograms, RevisionKey } from "../submission/SubmissionQuery.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Rounding from "../translate/Rounding.ts"
import type { Translated } from "../translate/Translated.ts"
import * as Facts from "./Facts.ts"
import * as LateBy from "./LateBy.ts"

/** Formats a balance for an answer of a program. */
export const formatted = ({ credited, fiscalised, stated }: Prepared.CreditBalance) => ({
  fiscalised: Prepared.formatted(fiscalised),
  credited: Prepared.formatted(credited),
  stated: stated && Prepared.formatted(stated)
})

/** Reason about the number of a note. */
export type NumberHindrance =
  /** The number, or another spelling of it, belongs to another document. */
  | { readonly _tag: "NumberTaken"; readonly number: string; readonly other: string }
  | { readonly _tag: "NumberTooLong"; readonly number: string }
  | { readonly _tag: "NumberRuled"; readonly number: string; readonly invoice: string }
  /** The number has an invisible character, or a blank at an end. */
  | { readonly _tag: "NumberUnseen"; readonly character: string }

/** Reason about several receipts of one invoice. */
export type ReceiptHindrance =
  /** Only one of the receipts can be credited. `receipts`: their names, as far as they have one. */
  | { readonly _tag: "SeveralReceipts"; readonly receipts: ReadonlyArray<string | null> }
  /** A note was meant for one receipt, and the gateway may have credited another one. */
  | { readonly _tag: "CreditedUnstated"; readonly note: string; readonly receipt: string }
  /** The gateway has not stated this receipt. */
  | { readonly _tag: "ReceiptUnknown"; readonly receipt: string }
  /** The number of a known receipt is not stated, so the receipt may be that one. */
  | { readonly _tag: "ReceiptUnnumbered"; readonly receipt: string }
  | { readonly _tag: "OnlyReceipt"; readonly receipt: string }
  /** As many notes as surplus receipts exist. */
  | { readonly _tag: "SurplusCredited"; readonly notes: ReadonlyArray<string> }
  /** The document was sent in several versions, and the version of the receipt is not known. */
  | { readonly _tag: "VersionUnknown"; readonly receipt: string }

/** Reason why nothing is prepared for a document. */
export type Hindrance =
  | Prepared.CreditHindrance
  | { readonly _tag: "NotFiscalised"; readonly state: State }
  | { readonly _tag: "NoInvoice" }
  /** Only an operator has stated the receipt, without its code. */
  | { readonly _tag: "OnlyClaimed" }
  /** No request of it is known here, so the date of its receipt is not known. */
  | { readonly _tag: "NeverSent" }
  /** A request of the invoice may have made another receipt. */
  | { readonly _tag: "OpenRequest" }
  | ReceiptHindrance
  | { readonly _tag: "OpenConflict"; readonly code: InvoiceFamily["conflicts"][number] }
  | { readonly _tag: "Forgotten" }
  /** A note prepared earlier waits or is under way. */
  | { readonly _tag: "NoteOpen"; readonly number: string; readonly state: string }
  | NumberHindrance
  /** The gateway maps a code of the invoice to something else now (RCPT036), or not at all. */
  | { readonly _tag: "MappedOtherwise"; readonly code: string }

/** A prepared note that can be sent. */
export interface ReadyNote {
  readonly prepared: Prepared.PreparedNote
  readonly number: DocumentNumber
  readonly id: CreditNoteId
  readonly meaning: CodeMeaning
  readonly beside: ReadonlyArray<SubmissionKey>
  /** Findings of the device's rules. With an error among them the note is not sent. */
  readonly findings: ReadonlyArray<Finding.Finding>
}

/** The balance of an invoice, and the note that is prepared for it. */
export interface Preview {
  readonly invoice: Submission
  /** Null if the receipt is not known. */
  readonly receipt: Receipts.DeviceReceipt | null
  /** Receipt that alone is credited, if the invoice has several. */
  readonly receiptName: string | null
  readonly stated: StatedInvoice["_tag"]
  /** Lines that the source changed, in words. Empty if no line is known to be other. */
  readonly changes: string
  readonly balance: Prepared.CreditBalance | null
  /** Statement about other programs on the device, whose credits are not known. */
  readonly otherPrograms: OtherPrograms["stated"] | null
  /** Documents that the note makes late, because it is dated today. */
  readonly late: LateBy.LateBy | null
  readonly notes: ReadonlyArray<Pick<NoteOnInvoice, "number" | "state" | "made" | "standing">>
  readonly result:
    | ({ readonly _tag: "Ready" } & ReadyNote)
    | { readonly _tag: "NothingToCredit"; readonly cause: "same-figures" | "nothing-left" }
    | { readonly _tag: "Hindered"; readonly by: Hindrance }
}

/** A preview with the time at which an import found the change of the source. */
export interface NoticedPreview extends Preview {
  readonly statedAt: DateTime.Utc | null
}

/** One of several receipts of an invoice. */
export interface CreditedReceipt {
  /** Number on the device, or verification code. */
  readonly name: string
  /** `portal`: if the gateway has not stated it, the operator has seen it in the portal. */
  readonly seen: "here" | "portal"
}

/** Choice of the operator about the note. */
export interface CreditOrder {
  readonly key: SubmissionKey
  /** Credits one of several receipts in full. Default: the invoice. */
  readonly receipt?: CreditedReceipt | undefined
  /** `everything`: all that is left, whatever the source states. Default `difference`. */
  readonly amount?: "difference" | "everything"
  /** Number of the note. Default: by the rule of the account, `INV-2-C1` without one. */
  readonly number?: DocumentNumber | undefined
}

/** Nothing was sent. `Differs`: the note is not the one that the operator saw. */
export class CreditRefused extends Data.TaggedError("CreditRefused")<{
  readonly reason:
    | ({ readonly _tag: "NotReady" } & Explained)
    | { readonly _tag: "Differs"; readonly seen: Money.Money; readonly is: Money.Money }
    | { readonly _tag: "NotPlanned"; readonly text: string }
}> {
  override get message() {
    const { reason } = this
    return `Nothing was sent: ${reason._tag === "Differs" ? `${Money.formatAmount(reason.is)} is left to credit now, not ${Money.formatAmount(reason.seen)}` : reason.text}.`
  }
}

/** Longest number that the device takes (DOC-11). */
const longestNumber = 50

const nextOf = (
  { notes, ofReceipts, requests: { id, number } }: InvoiceFamily,
  receipt: string | null,
  rule: string
): Pick<NoteOnInvoice, "id" | "number"> => {
  const own = notes.filter(({ made }) => made === "here")
  const ofReceipt = ofReceipts.notes.filter((note) => note.receipt === receipt)
  const refused = (receipt === null ? own : ofReceipt).find(({ state }) => state === "Rejected" || state === "Declined")
  if (refused !== undefined) return refused
  // nothing is prepared beside an open note, so every other one keeps its number
  const nth = own.length + ofReceipts.notes.length + 1
  const withdrawn = ofReceipt.length === 0 ? "" : `-${ofReceipt.length + 1}`
  return {
    id: receipt === null ? `${id}:credit-${nth}` : `${id}:credit-receipt-${receipt}${withdrawn}`,
    number: CreditNumber.make(rule, number, nth)
  }
}

const zoneOf = ({ requests: { receiptDate } }: InvoiceFamily, { zone }: Pick<AccountFacts, "zone">) =>
  receiptDate !== null && DateTime.isZoned(receiptDate) ? receiptDate.zone : zone

const nameOf = ({ code, receiptNumber }: Receipts.DeviceReceipt) => nameOfReceipt(receiptNumber, code)

const alwaysHinders = (
  { ofReceipts, requests, texts }: InvoiceFamily,
  { receipts }: Receipts.OfDocument
): Hindrance | undefined => {
  if (requests.kind !== "invoice") return { _tag: "NoInvoice" }
  if (requests.state !== "Fiscalised") return { _tag: "NotFiscalised", state: requests.state }
  if (receipts.every(({ by, code }) => by === "operator" && code === null)) return { _tag: "OnlyClaimed" }
  // a document that was never sent has no receipt date
  if (requests.receiptDate === null) return { _tag: "NeverSent" }
  if (texts === "forgotten") return { _tag: "Forgotten" }
  const notes = counting(ofReceipts.notes)
  const open = notes.find(({ standing }) => standing === "open")
  if (open !== undefined) return { _tag: "NoteOpen", number: open.number, state: open.state }
  const last = notes.at(-1)
  return last !== undefined && notes.length > ofReceipts.credited.length
    ? { _tag: "CreditedUnstated", note: last.number, receipt: last.receipt }
    : undefined
}

/** Receipts that are left for ordinary notes: an operator has stated which others are credited. */
const leftOf = ({ ofReceipts: { credited } }: InvoiceFamily, { receipts }: Receipts.OfDocument) =>
  receipts
    .filter((receipt) => !credited.some((name) => name === nameOf(receipt)))
    .toSorted((a, b) => (a.receiptNumber ?? 0) - (b.receiptNumber ?? 0))

const hindranceOf = (family: InvoiceFamily, ofDocument: Receipts.OfDocument): Hindrance | undefined => {
  const { conflicts, notes } = family
  const always = alwaysHinders(family, ofDocument)
  if (always !== undefined) return always
  const left = leftOf(family, ofDocument)
  if (left.length > 1) return { _tag: "SeveralReceipts", receipts: left.map(nameOf) }
  if (family.requests.requests.some(({ known }) => known === "open")) return { _tag: "OpenRequest" }
  const [code] = conflicts
  if (code !== undefined) return { _tag: "OpenConflict", code }
  const open = notes.find(({ made, standing }) => made === "here" && standing === "open")
  return open && { _tag: "NoteOpen", number: open.number, state: open.state }
}

const receiptOf = (
  family: InvoiceFamily,
  ofDocument: Receipts.OfDocument,
  { name, seen }: CreditedReceipt
): { readonly receipt: Receipts.DeviceReceipt | null; readonly of: RevisionKey } | Hindrance => {
  const always = alwaysHinders(family, ofDocument)
  if (always !== undefined) return always
  const open = family.notes.find(({ standing }) => standing === "open" || standing === "unclear")
  if (open !== undefined) return { _tag: "NoteOpen", number: open.number, state: open.state }
  const { receipts } = ofDocument
  const names = receipts.map(nameOf)
  const found = receipts.find(({ code, receiptNumber }) => [code, String(receiptNumber)].includes(name))
  if (found === undefined && seen === "here") return { _tag: "ReceiptUnknown", receipt: name }
  if (found === undefined && receipts.some(({ receiptNumber }) => receiptNumber === null))
    return { _tag: "ReceiptUnnumbered", receipt: name }
  const { notes } = family.ofReceipts
  const surplus = surplusOf(found === undefined ? [...names, name] : names, notes)
  if (surplus === 0) return { _tag: "OnlyReceipt", receipt: name }
  const counted = counting(notes)
  const own = counted.find(({ receipt }) => receipt === (found === undefined ? name : nameOf(found)))
  if (own !== undefined || counted.length >= surplus)
    return { _tag: "SurplusCredited", notes: counted.map(({ number }) => number) }
  if (found !== undefined) return { receipt: found, of: found.of }
  const revisions = new Set(family.requests.requests.map(({ revision }) => revision))
  const [revision] = revisions
  return revisions.size === 1
    ? { receipt: null, of: [family.requests.seq, revision!] }
    : { _tag: "VersionUnknown", receipt: name }
}

const unseenOf = (number: string): string | undefined =>
  unseenIn(number)?.character ?? (number.trim() === number ? undefined : "a blank at an end")

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

const changesOf = ({ sent, stated }: InvoiceFamily): string =>
  stated._tag === "Changed" ? changesInWords(sent.document.payload.lineItems, stated.document.payload.lineItems) : ""

const preparedHere = { file: "(prepared here)" }

const findingsOf = (
  family: InvoiceFamily,
  { balance, content }: Prepared.PreparedNote,
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

interface Prospect {
  readonly family: InvoiceFamily
  readonly receipt: Receipts.DeviceReceipt | null
  /** Name of the receipt, if only one of several is credited. */
  readonly receiptName: string | null
  readonly hindrance: Hindrance | undefined
  /** Null if nothing is prepared because of the hindrance. */
  readonly prepared: Prepared.Prepared | null
}

const ofInvoice = (
  found: InvoiceFamily,
  ofDocument: Receipts.OfDocument,
  amount: "difference" | "everything",
  { assumptions }: Pick<AccountFacts, "assumptions">
): Effect.Effect<Prospect, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const [receipt = null] = leftOf(found, ofDocument)
    const { credited } = found.ofReceipts
    const sent =
      receipt === null || credited.length === 0
        ? found.sent
        : (yield* SubmissionStore.use((store) => store.revisions([receipt.of])))[0]!
    const stated: StatedInvoice =
      found.stated._tag === "AsSent" && sent !== found.sent ? { _tag: "Changed", ...found.sent } : found.stated
    const family = { ...found, sent, stated }
    const hindrance = hindranceOf(family, ofDocument)
    // without one proven receipt, the figures of the document are not those of its receipt
    const isKnown = hindrance === undefined || hindrance._tag === "NoteOpen"
    return {
      family,
      receipt: receipt ?? ofDocument.receipts[0] ?? null,
      receiptName: null,
      hindrance,
      prepared: isKnown ? Prepared.prepare(family, amount, assumptions["DOC-19"]) : null
    }
  })

const ofOneReceipt = (
  found: InvoiceFamily,
  ofDocument: Receipts.OfDocument,
  order: CreditedReceipt,
  mean: (one: FamilyDocument) => FamilyDocument
): Effect.Effect<Prospect, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const refused = (hindrance: Hindrance): Prospect => ({
      family: found,
      receipt: ofDocument.receipts[0] ?? null,
      receiptName: null,
      hindrance,
      prepared: null
    })
    const one = receiptOf(found, ofDocument, order)
    if ("_tag" in one) return refused(one)
    const [sent] = yield* SubmissionStore.use((store) => store.revisions([one.of]))
    const { document, meaning } = mean(sent!)
    if (meaning === null) return refused({ _tag: "MeaningNotKept", number: numberOf(document) })
    const prepared = Prepared.ofReceipt({ document, meaning })
    if (prepared === undefined) return refused({ _tag: "FiguresUnclear" })
    const name = (one.receipt && nameOf(one.receipt)) ?? order.name
    const family = { ...found, sent: { document, meaning } }
    return { family, receipt: one.receipt, receiptName: name, hindrance: undefined, prepared }
  })

/**
 * Prepares the note of an invoice, if the store has it. Sends and writes nothing. `facts`: reading
 * of the device, shared by several notes.
 */
export const prepare = (
  account: AccountFacts,
  { amount = "difference", key, number: given, receipt: order }: CreditOrder,
  facts = Facts.read(account)
): Effect.Effect<Option.Option<Preview>, GatewayError | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const [found, invoice] = [yield* store.family(key), yield* store.get(key)]
    if (Option.isNone(found) || Option.isNone(invoice)) return Option.none()
    const { lane, receiptDate } = found.value.requests
    const ofDocument = Receipts.ofDocument(found.value.requests, lane, yield* store.repeatedCodes(lane))
    const isMeaningKept = [found.value.sent, ...found.value.notes].every(({ meaning }) => meaning !== null)
    const known = isMeaningKept ? null : yield* facts
    // taxes of a note are valid on the date of its original
    const day = CivilDate.inZone(receiptDate ?? (yield* DateTime.now), zoneOf(found.value, account))
    const shown = ({ document }: FamilyDocument) =>
      ShownMeaning.of(document, known?.mappings ?? null, known?.taxes ?? null, day)
    const mean = <Of extends FamilyDocument>(one: Of): Of => {
      const by = one.meaning === null ? shown(one) : null
      return by?._tag === "Shown" ? { ...one, meaning: by.meaning } : one
    }
    const meant = { ...found.value, sent: mean(found.value.sent), notes: found.value.notes.map(mean) }
    const prospect =
      order === undefined
        ? yield* ofInvoice(meant, ofDocument, amount, account)
        : yield* ofOneReceipt(meant, ofDocument, order, mean)
    const { family, hindrance, prepared, receipt, receiptName } = prospect
    const about = {
      invoice: invoice.value,
      receipt,
      receiptName,
      stated: family.stated._tag,
      changes: changesOf(family),
      balance: prepared?.balance ?? null,
      otherPrograms: (yield* store.otherPrograms(lane))?.stated ?? null,
      late: yield* LateBy.dated(invoice.value, new Set(), zoneOf(family, account)),
      notes: receiptName === null ? family.notes : []
    }
    const as = (result: Preview["result"]) => Option.some<Preview>({ ...about, result })
    const hindered = (by: Hindrance) => {
      if (by._tag !== "MeaningNotKept") return as({ _tag: "Hindered", by })
      const [code] = [meant.sent, ...meant.notes].flatMap((one) => {
        const stated = one.meaning === null ? shown(one) : null
        return stated?._tag === "Other" ? [stated.code] : []
      })
      return as({ _tag: "Hindered", by: code === undefined ? by : { _tag: "MappedOtherwise", code } })
    }
    if (hindrance !== undefined || prepared === null) return hindered(hindrance!)
    if (prepared._tag === "Nothing") return as({ _tag: "NothingToCredit", cause: prepared.cause })
    if (prepared._tag === "Hindered") return hindered(prepared.by)
    const next = nextOf(family, receiptName, account.creditNumbers)
    const id = CreditNoteId.make(next.id)
    const number = given ?? DocumentNumber.make(next.number)
    const ruled = given === undefined ? yield* store.ruled(key.account, account.creditNumbers) : null
    if (ruled !== null) return hindered({ _tag: "NumberRuled", ...ruled })
    if (number.length > longestNumber) return hindered({ _tag: "NumberTooLong", number })
    const unseen = unseenOf(number)
    if (unseen !== undefined) return hindered({ _tag: "NumberUnseen", character: unseen })
    const alike = yield* store.ledger.alike(account.destination.taxpayer, [NumberFold.of(number)])
    const other = alike.find((one) => one.kind !== "credit-note" || one.account !== key.account || one.id !== id)
    if (other !== undefined) return hindered({ _tag: "NumberTaken", number, other: other.number })
    const device = known ?? (yield* facts)
    const { mappings } = device
    // our own sandbox is set up from the book; elsewhere mappings that are not known hinder
    const isOwn = account.destination.environment === "sandbox"
    const meaning = family.sent.meaning!
    const code =
      mappings === null
        ? isOwn
          ? undefined
          : String(prepared.content.currencyCode)
        : mappedOtherwise(mappings, prepared.content, meaning)
    if (code !== undefined) return hindered({ _tag: "MappedOtherwise", code })
    // the reason comes later, and RCPT034 asks only if there is one
    const document = documentOf(prepared.content, { id, number, invoice: key.id, reference: "reason" })
    const findings = findingsOf(family, prepared, document, account, device, yield* DateTime.now)
    // the question about a note of the source beside a single receipt is the operator's
    const beside = receiptName === null ? counting(family.notes).filter(({ made }) => made === "source") : []
    return as({ _tag: "Ready", prepared, number, id, meaning, beside, findings })
  })

/**
 * Prepares the notes of the invoices that the source states otherwise, the newest first.
 * `matching`: part of the number or of the buyer's name.
 */
export const prepareNoticed = (account: AccountFacts, most: number, matching: string) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const facts = yield* Effect.cached(Facts.read(account))
    const noticed = yield* store.noticed([account.account])
    const part = matching.toLowerCase()
    const found = new Set(
      (part === "" ? [] : yield* store.getMany(noticed)).flatMap(({ buyer, id, number }) =>
        `${number}\n${buyer ?? ""}`.toLowerCase().includes(part) ? [id] : []
      )
    )
    const keys = part === "" ? noticed : noticed.filter(({ id }) => found.has(id))
    const previews = yield* Effect.forEach(keys.toReversed().slice(0, most), (key) =>
      Effect.gen(function* () {
        const [preview, explained] = [yield* prepare(account, { key }, facts), yield* store.explain(key)]
        const conflicts = Option.isNone(explained) ? [] : explained.value.conflicts
        const open = conflicts.find(({ code, settledAt }) => isOfSource(code) && settledAt === null)
        return Option.map(preview, (one): NoticedPreview => ({ ...one, statedAt: open?.at ?? null }))
      })
    )
    return { noticed: noticed.length, count: keys.length, previews: previews.flatMap(Option.toArray) }
  })

/** A line of a balance. Null figures are not known. */
export interface BalanceRow {
  readonly of: "fiscalised" | "credited" | "stated" | "to-credit"
  readonly figures: Prepared.CreditFigures | null
  readonly about: string
}

/** Statements of the source in words. */
export const statedNow = {
  AsSent: "as it was sent",
  Nothing: "void",
  Changed: "changed",
  NotKept: "changed; the figures were not kept"
} as const

const forms = {
  mirror: "the lines of the invoice",
  lines: "lines that fell",
  sums: "one line for each tax"
} as const

/** Returns the lines of the balance, in the order in which every host shows them. */
export const rowsOf = ({ balance, notes, receiptName, result, stated }: Preview): ReadonlyArray<BalanceRow> => {
  if (balance === null) return []
  const ofOne = receiptName === null ? "" : `receipt ${receiptName}, one of several`
  const counted = notes.flatMap(({ number, standing, state }) => (standing === "ended" ? [] : [`${number} (${state})`]))
  const family: ReadonlyArray<BalanceRow> = [
    { of: "credited", figures: balance.credited, about: counted.join(", ") },
    { of: "stated", figures: balance.stated, about: statedNow[stated] }
  ]
  const fiscalised: BalanceRow = { of: "fiscalised", figures: balance.fiscalised, about: ofOne }
  const rows = [fiscalised, ...(receiptName === null ? family : [])]
  if (result._tag !== "Ready") return rows
  const { content, figures, form, of } = result.prepared
  const mode = form !== "sums" ? "" : content.isTaxInclusive ? ", with tax" : ", without tax"
  const about = `${of === "everything" ? "all that is left" : "the difference"}: ${forms[form]}${mode}`
  return [...rows, { of: "to-credit", figures, about }]
}

const afterwardsOf = {
  done: [],
  "issue-anew": ["Afterwards: issue it again in the source under a new number."],
  "void-it": ["The source still has the invoice as issued: void it there, or bring its own note instead."]
} as const

/** A credit note names its invoice and not a receipt (assumption DOC-20). */
const whichOfSeveral =
  "The note names the invoice: which of its receipts the gateway credits is not documented. Look in the portal afterwards."

const creditsOfOthers =
  "Other programs use the device, and their credits are not known here. Look at the invoice in the portal first."

const checked =
  "Checked: 12 months are not over, not more is credited than is left, each tax and the currency are as on the receipt."

const taxOffOf = ({ taxOff }: Prepared.PreparedNote): string | null =>
  taxOff === null || BigDecimal.isZero(taxOff) ? null : Money.formatAmount(taxOff)

/** Says what the note changes and leaves open, and what it makes late. */
export const remarksOf = (preview: Preview): ReadonlyArray<string> => {
  const { invoice, late, otherPrograms, receiptName, result } = preview
  if (result._tag !== "Ready") return []
  const { afterwards, balance, figures, left, of } = result.prepared
  const isAvoidable = of === "difference" && BigDecimal.isZero(balance.credited.total)
  const taxOff = taxOffOf(result.prepared)
  return [
    ...(left === null
      ? []
      : [
          `The tax of ${invoice.number} falls by ${Money.formatAmount(figures.tax)} to ${Money.formatAmount(left.tax)}.`
        ]),
    ...(taxOff === null
      ? []
      : [
          `It is then off by ${taxOff}: each receipt rounds its tax. The totals are exact.${isAvoidable ? " A note for the whole invoice has no such difference." : ""}`
        ]),
    ...(isReady(preview) ? [checked] : []),
    ...(otherPrograms === "others" ? [creditsOfOthers] : []),
    ...(receiptName === null ? [] : [whichOfSeveral]),
    ...afterwardsOf[afterwards],
    ...(late === null ? [] : [LateBy.inWords(late)])
  ]
}

/** True if the note of a preview can be sent. */
export const isReady = ({ result }: Preview): boolean =>
  result._tag === "Ready" && !result.findings.some(Finding.refuses)

/** Says why a note is not sent. Names no buyer: an error may reach a log. */
const refusalOf = (result: Preview["result"]): Explained => {
  switch (result._tag) {
    case "Hindered":
      return explain(result.by)
    case "NothingToCredit":
      return result.cause === "nothing-left"
        ? { text: "nothing is left to credit", fix: "" }
        : { text: "the receipts already agree with the source", fix: "" }
    case "Ready": {
      const refusing = result.findings.filter(Finding.refuses)
      const text = refusing.map(({ code, message }) => `${code}: ${message}`).join("; ")
      return { text, fix: refusing[0]?.fix ?? "" }
    }
  }
}

/** Decision of the operator to send a prepared note. */
export interface CreditDecision extends CreditOrder {
  /** The operator's reason, printed on the receipt as its Reference (RCPT034). */
  readonly because: string
  readonly total?: Money.Money
}

/** Result of sending a prepared note. */
export interface Credited {
  readonly preview: Preview
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
      return yield* new SubmitterConfigError({ text: "the account was opened for another store than this" })
    // read before the note is prepared, and compared when it is planned
    const basis = yield* store.family(decision.key)
    const found = yield* prepare(account, decision)
    if (Option.isNone(found) || Option.isNone(basis)) return Option.none()
    const preview = found.value
    const { result } = preview
    if (result._tag !== "Ready" || !isReady(preview))
      return yield* new CreditRefused({ reason: { _tag: "NotReady", ...refusalOf(result) } })
    const { beside, id, meaning, number, prepared } = result
    const { receipt, receiptName } = preview
    const { total } = prepared.figures
    const taxOff = taxOffOf(prepared)
    if (decision.total !== undefined && !BigDecimal.equals(decision.total, total))
      return yield* new CreditRefused({ reason: { _tag: "Differs", seen: decision.total, is: total } })
    const family = basis.value
    const reference = decision.because.trim()
    const document = WrittenDocument.of(
      documentOf(prepared.content, { id, number, invoice: decision.key.id, reference })
    )
    const now = yield* DateTime.now
    const zone = zoneOf(family, account)
    const key: SubmissionKey = { account: account.account, kind: "credit-note", id }
    const [planned] = yield* store
      .plan([
        {
          ...account.destination,
          document,
          meaning,
          fingerprint: createHash("sha256").update(document.text).digest("hex"),
          sourceDate: CivilDate.inZone(now, zone),
          receiptDate: "at-submission",
          dated: "assigned",
          original: decision.key,
          prepared: {
            basis: basisOf(family, id),
            beside,
            ...(receiptName !== null && { receipt: receiptName }),
            decision: {
              act: "credit",
              account: account.account,
              subject: `invoice ${preview.invoice.number}`,
              what: `credit note ${number}, ${preview.invoice.currency} ${Money.formatAmount(total)}${taxOff === null ? "" : `, tax off by ${taxOff}`}${receiptName === null ? "" : `, for receipt ${receiptName}${receipt === null ? " seen in the portal" : ""}`}`,
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
      .pipe(
        Effect.catchIf(
          ({ reason }) => reason === "conflict",
          ({ text }) => Effect.fail(new CreditRefused({ reason: { _tag: "NotPlanned", text } }))
        )
      )
    const { hold, state, verdict } = planned!
    if (state !== "Planned") {
      const text =
        hold?.text ??
        (verdict._tag === "NumberTaken"
          ? `the number ${number} was given to another document meanwhile`
          : verdict._tag === "OtherLane"
            ? "the account has another device now"
            : `${number} is ${state} already`)
      return yield* new CreditRefused({ reason: { _tag: "NotPlanned", text } })
    }
    const settlement = yield* Runner.run([account], options)
    return Option.some({ preview, note: Option.getOrThrow(yield* store.get(key)), settlement })
  })

/**
 * Records which receipt of an invoice the gateway's portal shows as credited, after a note for one
 * of several receipts. Returns none if the store does not have the invoice.
 */
export const stateCredited = (
  key: SubmissionKey,
  receipt: string,
  because: string
): Effect.Effect<Option.Option<"recorded">, CreditRefused | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const found = yield* store.family(key)
    if (Option.isNone(found)) return Option.none()
    const { ofReceipts, requests } = found.value
    const ofDocument = Receipts.ofDocument(requests, requests.lane, yield* store.repeatedCodes(requests.lane))
    const notes = counting(ofReceipts.notes)
    const refused = (text: string, fix: string) =>
      new CreditRefused({ reason: { _tag: "NotReady", text, fix, step: { do: "credit" } } })
    if (ofReceipts.credited.length >= notes.length)
      return yield* refused("no note for a single receipt waits for this statement", "")
    const open = notes.find(({ standing }) => standing !== "fiscalised")
    if (open !== undefined) return yield* refused(`${open.number} is ${open.state}`, "Continue that note first.")
    const left = leftOf(found.value, ofDocument).flatMap((one) => nameOf(one) ?? [])
    const meant = notes.flatMap((note) => (ofReceipts.credited.includes(note.receipt) ? [] : [note.receipt]))
    const names = new Set([...left, ...meant])
    if (!names.has(receipt))
      return yield* refused(`${receipt} is not one of its receipts ${[...names].join(", ")}`, "State one of these.")
    yield* store.stateCredited(key, receipt, because)
    return Option.some("recorded")
  })

/** A hindrance in words, with the way out. */
export interface Explained {
  readonly text: string
  readonly fix: string
  /** Step about the note `number`, or about the invoice if no number is given. */
  readonly step?: Step
  readonly number?: string
}

const look: Step = { do: "explain" }

const explainReceipts = (by: ReceiptHindrance): Explained => {
  switch (by._tag) {
    case "SeveralReceipts": {
      const named = by.receipts.flatMap((name) => name ?? [])
      const last = named.at(-1)
      return {
        text: `it has ${by.receipts.length} receipts${named.length === 0 ? "" : ` (${named.join(", ")})`}, and a credit note names the invoice, not a receipt`,
        fix: "Credit one surplus receipt, by its number.",
        ...(last !== undefined && { step: { do: "credit", receipt: last } })
      }
    }
    case "CreditedUnstated":
      return {
        text: `its credit note ${by.note} was meant for receipt ${by.receipt}, and the gateway may have credited another one`,
        fix: "Look in the gateway's portal which receipt is credited, and state it.",
        step: { do: "credit", credited: by.receipt }
      }
    case "ReceiptUnknown":
      return {
        text: `the gateway has not stated a receipt ${by.receipt} of it`,
        fix: "If the gateway's portal shows the receipt, state that you have seen it.",
        step: { do: "credit", receipt: by.receipt, seen: "portal" }
      }
    case "ReceiptUnnumbered":
      return {
        text: `a receipt of it is known without its number, and may be ${by.receipt}`,
        fix: "Look in the gateway's portal, and name the receipt by its verification code."
      }
    case "OnlyReceipt":
      return {
        text: `${by.receipt} is its only receipt`,
        fix: "Credit the invoice itself.",
        step: { do: "credit" }
      }
    case "SurplusCredited":
      return {
        text: `its surplus receipts are credited: ${by.notes.join(", ")}`,
        fix: "Credit what is left as for every invoice.",
        step: { do: "credit" }
      }
    case "VersionUnknown":
      return {
        text: `it was sent in several versions, and the version of receipt ${by.receipt} is not known`,
        fix: "Issue the credit note in the source and import it."
      }
  }
}

const explainNumber = (by: NumberHindrance): Explained => {
  switch (by._tag) {
    case "NumberTaken":
      return {
        text:
          by.other === by.number
            ? `the number ${by.number} belongs to another document (RCPT013)`
            : `the number ${by.number} differs only in its spelling from ${by.other}, which belongs to another document`,
        fix: "Give the note another number."
      }
    case "NumberRuled":
      return {
        text: `the source has the number ${by.number}, which the rule for prepared notes can make for ${by.invoice}`,
        fix: "Set another rule as `creditNumbers` of the account, or give the note a number."
      }
    case "NumberTooLong":
      return {
        text: `the number ${by.number} is longer than ${longestNumber} characters`,
        fix: "Give the note a shorter number."
      }
    case "NumberUnseen":
      return {
        text: `the number of the note has a character that is not seen: ${by.character}`,
        fix: "Give the note a number of visible characters."
      }
  }
}

const explainFamily = (by: Prepared.CreditHindrance): Explained => {
  switch (by._tag) {
    case "StatementNotKnown":
      return {
        text: by.text,
        fix: "Import the document again, or credit everything that is left.",
        step: { do: "credit", amount: "everything" }
      }
    case "Risen":
      return {
        text: "a tax rose, and a credit note can only lower it",
        fix: "Issue another invoice in the source for the rest, or put the document back as its receipts are; or credit everything that is left and issue it again.",
        step: { do: "credit", amount: "everything" }
      }
    case "FiguresUnclear":
      return {
        text: "the figures of its receipts do not add up here",
        fix: "Look in the gateway's portal what is left, and issue the credit note in the source.",
        step: look
      }
    case "CentMissed":
      return {
        text: `no amounts without tax give exactly ${Money.formatAmount(by.total)} with tax, and the gateway takes no other note on this invoice (DOC-19)`,
        ...(by.otherwise === "mirror"
          ? {
              fix: "Credit the whole invoice, and issue it again in the source under a new number.",
              step: { do: "credit", amount: "everything" } as const
            }
          : { fix: "Issue the credit note in the source and import it." })
      }
    case "NoteUnclear":
      return {
        text: `it is not clear if its credit note ${by.number} has a receipt`,
        fix: "Decide about that note first.",
        step: look,
        number: by.number
      }
    case "MeaningNotKept":
      return {
        text: `${by.number} was planned by an earlier version, which did not keep the meaning of its codes, and its figures do not show which tax of the device each one was`,
        fix: "Issue the credit note in the source and import it."
      }
  }
}

/** Describes a hindrance, with the way out. */
export const explain = (by: Hindrance): Explained => {
  switch (by._tag) {
    case "NotFiscalised":
      return {
        text: `it is ${by.state}, and has no receipt that could be credited`,
        fix: "Decide about the document itself first.",
        step: look
      }
    case "NoInvoice":
      return { text: "it is a credit note", fix: "Name the invoice that it credits." }
    case "OnlyClaimed":
      return {
        text: "its receipt is known by an operator's word only",
        fix: "Look it up in the gateway's portal, and record its verification code first.",
        step: { do: "resolve", as: "fiscalised", code: "given" }
      }
    case "NeverSent":
      return {
        text: "it was not sent from here, so the date of its receipt is not known",
        fix: "Issue the credit note in the source and import it."
      }
    case "OpenRequest":
      return {
        text: "a request of it may have made another receipt",
        fix: "Decide about that request first.",
        step: look
      }
    case "SeveralReceipts":
    case "CreditedUnstated":
    case "ReceiptUnknown":
    case "ReceiptUnnumbered":
    case "OnlyReceipt":
    case "SurplusCredited":
    case "VersionUnknown":
      return explainReceipts(by)
    case "OpenConflict":
      return {
        text: `the conflict ${by.code} about its receipts is open`,
        fix: "Decide about the conflict first.",
        step: look
      }
    case "Forgotten":
      return {
        text: "its texts were forgotten, so its lines are not known",
        fix: "Issue the credit note in the source and import it."
      }
    case "NoteOpen":
      return {
        text: `its credit note ${by.number} is ${by.state}`,
        ...(moving.some((state) => state === by.state)
          ? { fix: "Continue that note.", step: { do: "resume" } }
          : { fix: "Decide about that note first.", step: look, number: by.number })
      }
    case "NumberTaken":
    case "NumberTooLong":
    case "NumberRuled":
    case "NumberUnseen":
      return { ...explainNumber(by), step: { do: "credit", number: "given" } }
    case "MappedOtherwise":
      return {
        text: `the gateway maps ${by.code} to something else now than on the receipt (RCPT036)`,
        fix: "Restore the mapping, or issue the credit note in the source under the present codes.",
        step: { do: "doctor" }
      }
    case "StatementNotKnown":
    case "Risen":
    case "FiguresUnclear":
    case "CentMissed":
    case "NoteUnclear":
    case "MeaningNotKept":
      return explainFamily(by)
  }
}

type ComparedLine = Pick<LineItem, "description" | "lineAmount" | "quantity" | "taxCode">

/** Changed lines that are named. */
const mostChanges = 2

/** Names each line, so that lines of the same description are compared in their order. */
const byName = (lines: ReadonlyArray<ComparedLine>): ReadonlyMap<string, ComparedLine> => {
  const counts = new Map<string, number>()
  return new Map(
    lines.map((line) => {
      const name = line.description ?? ""
      const nth = counts.get(name) ?? 0
      counts.set(name, nth + 1)
      return [JSON.stringify([name, nth]), line]
    })
  )
}

const changeOf = (before: ComparedLine | undefined, now: ComparedLine | undefined): string | null => {
  if (before === undefined) return "added"
  if (now === undefined) return "taken out"
  if (!BigDecimal.equals(before.quantity, now.quantity))
    return `${Money.formatPlain(before.quantity)} → ${Money.formatPlain(now.quantity)} pieces`
  if (!BigDecimal.equals(before.lineAmount, now.lineAmount))
    return `${Money.formatGrouped(before.lineAmount)} → ${Money.formatGrouped(now.lineAmount)}`
  return before.taxCode === now.taxCode ? null : `tax ${before.taxCode} → ${now.taxCode}`
}

/** Returns the changed lines, such as `1 line: Paint, 5 → 4 pieces`. Empty if no line changed. */
export const changesInWords = (before: ReadonlyArray<ComparedLine>, now: ReadonlyArray<ComparedLine>): string => {
  const [old, present] = [byName(before), byName(now)]
  const changes = [...new Set([...old.keys(), ...present.keys()])].flatMap((name) => {
    const change = changeOf(old.get(name), present.get(name))
    const { description } = (present.get(name) ?? old.get(name))!
    return change === null ? [] : [description === null ? change : `${description}, ${change}`]
  })
  if (changes.length === 0) return ""
  const more = changes.length > mostChanges ? [`and ${changes.length - mostChanges} more`] : []
  return `${changes.length} ${changes.length === 1 ? "line" : "lines"}: ${[...changes.slice(0, mostChanges), ...more].join("; ")}`
}
