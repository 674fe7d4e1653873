/** A mapping plan as it was printed, kept until it is applied: its steps, and the mappings it was made for. */
import { createHash } from "node:crypto"
import { type Option, Schema } from "effect"
import { formatPlain } from "../document/Money.ts"
import type { GatewayMappings } from "./GatewayMappings.ts"
import type { MappingBook } from "./MappingBook.ts"
import { hasId, type MappingPlan } from "./MappingPlan.ts"
import { MappingStep } from "./MappingStep.ts"

/** A mapping as the plan found it; `device` is the device's tax, or currency. */
const Found = Schema.Struct({
  id: Schema.Int,
  code: Schema.String,
  name: Schema.NullOr(Schema.String),
  device: Schema.String
})
export type Found = typeof Found.Type

export const SavedPlan = Schema.Struct({
  version: Schema.Literal(1),
  /** Our own name of the account. */
  account: Schema.String,
  /** SHA-256 over what the book says of taxes and currencies. */
  book: Schema.String,
  steps: Schema.Array(MappingStep),
  taxes: Schema.Array(Found),
  currencies: Schema.Array(Found)
})
export type SavedPlan = typeof SavedPlan.Type

/** The plan to be saved, for the mappings it was made for. */
export const make = (account: string, book: MappingBook, gateway: GatewayMappings, plan: MappingPlan): SavedPlan => ({
  version: 1,
  account,
  book: digest(book),
  steps: plan.steps,
  ...found(gateway)
})

/** The mappings as a plan keeps them. */
export const found = ({ currencies, taxes }: Pick<GatewayMappings, "taxes" | "currencies">) => ({
  taxes: taxes.filter(hasId).map(({ destinationTaxId, id, taxCode, taxName }): Found => ({
    id,
    code: taxCode,
    name: taxName,
    device: String(destinationTaxId)
  })),
  currencies: currencies.filter(hasId).map(({ destinationCurrency, id, sourceCurrency }): Found => ({
    id,
    code: sourceCurrency,
    name: null,
    device: destinationCurrency
  }))
})

/** Equal for books that map the same. */
export const digest = ({ currencies, taxes }: MappingBook): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        taxes.map(({ code, device, name, percent, since, until }) => [
          code,
          name,
          device,
          percent && formatPlain(percent),
          since,
          until
        ]),
        currencies.map(({ code, device }) => [code, device])
      ])
    )
    .digest("hex")

const codec = Schema.fromJsonString(SavedPlan)
const encode = Schema.encodeSync(codec)
const decode = Schema.decodeOption(codec)

export const toText = (plan: SavedPlan): string => `${encode(plan)}\n`

/** None where the text is no plan of this version. */
export const fromText = (text: string): Option.Option<SavedPlan> => decode(text)
