/**
 * Flags that settle open points of a Xero-shaped export: the meaning of fields, and facts that its
 * documents do not state.
 */
import type { XeroLikeOptions } from "@fiscal-connector/adapter-xero-like/XeroLikeOptions"
import { Effect, Option, Schema } from "effect"
import { type Command, Flag } from "effect/cli"
import { ExitError } from "../../output/ExitError.ts"
import { given } from "./Given.ts"

const contactFields = ["TaxNumber", "CompanyNumber", "AccountNumber", "ContactNumber"] as const

export const xeroLikeFlags = {
  contacts: Flag.Path("contacts", { mustExist: true }).pipe(
    Flag.withDescription("a file of contacts, joined to the documents by ContactID"),
    Flag.optional
  ),
  tin: Flag.Literals("tin", contactFields).pipe(
    Flag.withDescription("the field of a contact that states the buyer's TIN; without it documents have no TIN"),
    Flag.optional
  ),
  vatNumber: Flag.Literals("vat-number", contactFields).pipe(
    Flag.withDescription("the field of a contact that states the buyer's VAT number"),
    Flag.optional
  ),
  productCode: Flag.Literals("product-code", ["item-code"]).pipe(
    Flag.withDescription("item-code: ItemCode is the HS code, or a spelling in the book's productCodes"),
    Flag.optional
  ),
  unmapped: Flag.Literals("unmapped", ["refuse", "unread"]).pipe(
    Flag.withDescription(
      "tax numbers and item codes without a mapping, if the book has a default for them: refuse, or ignore"
    ),
    Flag.optional
  ),
  paymentMethod: Flag.Literals("payment-method", ["paying-account"]).pipe(
    Flag.withDescription("paying-account: the account a payment came in on is the spelling in the book's payments"),
    Flag.optional
  ),
  amounts: Flag.Literals("amounts", ["inclusive", "exclusive", "untaxed"]).pipe(
    Flag.withDescription("for documents that do not state whether amounts include tax"),
    Flag.optional
  ),
  missingContacts: Flag.Literals("missing-contacts", ["as-stated"]).pipe(
    Flag.withDescription("as-stated: also send documents whose contact is missing in the export"),
    Flag.optional
  ),
  status: Flag.KeyValuePair("status").pipe(
    Flag.withDescription("ARCHIVED=issued or ARCHIVED=skip: what a status means"),
    Flag.optional
  ),
  currency: Flag.String("currency").pipe(
    Flag.withDescription("the currency of documents that do not state it"),
    Flag.optional
  )
}

const meanings = Schema.Record(Schema.String, Schema.Literals(["issued", "skip"]))

const statusesOf = (status: Option.Option<Record<string, string>>) =>
  Effect.mapError(
    Effect.transposeOption(Option.map(status, Schema.decodeUnknownEffect(meanings))),
    () => new ExitError({ code: 1, text: "--status takes NAME=issued or NAME=skip." })
  )

type Flags = Command.Command.Config.Infer<typeof xeroLikeFlags>

/** Returns the adapter's options from the flags. */
export const optionsOf = Effect.fnUntraced(function* (flags: Flags) {
  const options: XeroLikeOptions = {
    ...given("amounts", flags.amounts),
    ...given("currency", flags.currency),
    ...given("missingContacts", flags.missingContacts),
    ...given("paymentMethod", flags.paymentMethod),
    ...given("productCode", flags.productCode),
    ...given("statuses", yield* statusesOf(flags.status)),
    ...given("tin", flags.tin),
    ...given("unmapped", flags.unmapped),
    ...given("vatNumber", flags.vatNumber)
  }
  return options
})

/**
 * Returns the files of the export and the contacts file, if named. The adapter detects the purpose
 * of each file.
 */
export const filesOf = (files: ReadonlyArray<string>, { contacts }: Pick<Flags, "contacts">): ReadonlyArray<string> => [
  ...files,
  ...Option.toArray(contacts)
]
