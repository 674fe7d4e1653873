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

const SavedMapping = Schema.Struct({
  id: Schema.Int,
  code: Schema.String,
  name: Schema.NullOr(Schema.String),
  device: Schema.String
})
export type SavedMapping = typeof SavedMapping.Type

export const SavedPlan = Schema.Struct({
  version: Schema.Literal(1),
  account: Schema.String,
  /** SHA-256 of the book's taxes and currencies. */
  book: Schema.String,
  steps: Schema.Array(MappingStep),
  taxes: Schema.Array(SavedMapping),
  currencies: Schema.Array(SavedMapping)
})
export type SavedPlan = typeof SavedPlan.Type

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

export const fromText = (text: string): Option.Option<SavedPlan> => decode(text)
