/** `import xero-like` and `plan xero-like`. */
import { adapter } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import type { XeroLikeOptions } from "@fiscal-connector/adapter-xero-like/XeroLikeOptions"
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { Quit } from "../Quit.ts"
import { given } from "./Given.ts"
import * as ImportCommand from "./ImportCommand.ts"
import { importFlags } from "./ImportFlags.ts"

const contactFields = ["TaxNumber", "CompanyNumber", "AccountNumber", "ContactNumber"] as const

const flags = {
  ...importFlags,
  contacts: Flag.Path("contacts", { mustExist: true }).pipe(
    Flag.withDescription("a file of contacts, joined to the documents by ContactID"),
    Flag.optional
  ),
  tin: Flag.Literals("tin", contactFields).pipe(
    Flag.withDescription("which field of a contact is the buyer's TIN; without it none is stated"),
    Flag.optional
  ),
  vatNumber: Flag.Literals("vat-number", contactFields).pipe(
    Flag.withDescription("which field of a contact is the buyer's VAT number"),
    Flag.optional
  ),
  productCode: Flag.Literals("product-code", ["item-code"]).pipe(
    Flag.withDescription("item-code: ItemCode is the HS code"),
    Flag.optional
  ),
  paymentMethod: Flag.Literals("payment-method", ["paying-account"]).pipe(
    Flag.withDescription("paying-account: the account a payment came in on is the spelling in the book's payments"),
    Flag.optional
  ),
  amounts: Flag.Literals("amounts", ["inclusive", "exclusive", "untaxed"]).pipe(
    Flag.withDescription("for documents that do not say whether their amounts include tax"),
    Flag.optional
  ),
  status: Flag.KeyValuePair("status").pipe(
    Flag.withDescription("ARCHIVED=issued or ARCHIVED=skip: what a status nobody documents means"),
    Flag.optional
  ),
  currency: Flag.String("currency").pipe(Flag.withDescription("for documents that state no currency"), Flag.optional)
}

const meanings = Schema.Record(Schema.String, Schema.Literals(["issued", "skip"]))

const statusesOf = (status: Option.Option<Record<string, string>>) =>
  Effect.mapError(
    Effect.transposeOption(Option.map(status, Schema.decodeUnknownEffect(meanings))),
    () => new Quit({ code: 1, text: "--status takes NAME=issued or NAME=skip." })
  )

const command = (mode: "plan" | "import", description: string) =>
  Command.make(
    "xero-like",
    flags,
    Effect.fnUntraced(function* ({
      amounts,
      contacts,
      currency,
      paymentMethod,
      productCode,
      status,
      tin,
      vatNumber,
      ...rest
    }) {
      const options: XeroLikeOptions = {
        ...given("amounts", amounts),
        ...given("currency", currency),
        ...given("paymentMethod", paymentMethod),
        ...given("productCode", productCode),
        ...given("statuses", yield* statusesOf(status)),
        ...given("tin", tin),
        ...given("vatNumber", vatNumber)
      }
      const files = [...rest.files, ...Option.toArray(contacts)] as const
      yield* ImportCommand.run(mode, { adapter, extensions: /\.(json|jsonl|ndjson)$/i, options }, { ...rest, files })
    })
  ).pipe(Command.withDescription(description))

export const planXeroLike = command(
  "plan",
  "Read, translate and check Xero-shaped JSON, up to the exact request bodies; send nothing"
)
export const importXeroLike = command("import", "Fiscalise the invoices and credit notes of Xero-shaped JSON")
