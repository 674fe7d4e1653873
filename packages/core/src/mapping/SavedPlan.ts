/**
 * A mapping plan as printed, saved until it is applied: its steps, and the mappings at planning.
 */
import { createHash } from "node:crypto"
import { type Option, Schema } from "effect"
import { formatPlain } from "../document/Money.ts"
import type { GatewayMappings } from "./GatewayMappings.ts"
import type { MappingBook } from "./MappingBook.ts"
import { hasId, type MappingPlan } from "./MappingPlan.ts"
import { MappingStep } from "./MappingStep.ts"

/** A mapping at planning; `device` is the device's tax or currency. */
const SavedMapping = Schema.Struct({
  id: Schema.Int,
  code: Schema.String,
  name: Schema.NullOr(Schema.String),
  device: Schema.String
})
export type SavedMapping = typeof SavedMapping.Type

export const SavedPlan = Schema.Struct({
  version: Schema.Literal(1),
  /** Our name of the account. */
  account: Schema.String,
  /** SHA-256 of the book's taxes and currencies. */
  book: Schema.String,
  steps: Schema.Array(MappingStep),
  taxes: Schema.Array(SavedMapping),
  currencies: Schema.Array(SavedMapping)
})
export type SavedPlan = typeof SavedPlan.Type

/** Builds the plan to save, with the mappings at planning. */
export const make = (
  account: string,
  book: MappingBook,
  gateway: Pick<GatewayMappings, "taxes" | "currencies">,
  plan: MappingPlan
): SavedPlan => ({
  version: 1,
  account,
  book: digest(book),
  steps: plan.steps,
  ...found(gateway)
})

/** Returns the mappings in the form of a saved plan. */
export const found = ({ currencies, taxes }: Pick<GatewayMappings, "taxes" | "currencies">) => ({
  taxes: taxes.filter(hasId).map(({ destinationTaxId, id, taxCode, taxName }): SavedMapping => ({
    id,
    code: taxCode,
    name: taxName,
    device: String(destinationTaxId)
  })),
  currencies: currencies.filter(hasId).map(({ destinationCurrency, id, sourceCurrency }): SavedMapping => ({
    id,
    code: sourceCurrency,
    name: null,
    device: destinationCurrency
  }))
})

/** Returns a digest of the book's tax and currency entries; spellings are not included. */
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

/** Returns an empty Option if the text is not a plan of this version. */
export const fromText = (text: string): Option.Option<SavedPlan> => decode(text)
