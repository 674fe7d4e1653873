/** One change of the gateway's mappings, listed by a plan and performed by `apply`. */
import { Schema } from "effect"
import { CurrencyCode, TaxCode } from "../document/Identifiers.ts"

const AddTax = Schema.TaggedStruct("AddTax", { code: TaxCode, name: Schema.NonEmptyString, device: Schema.Int })
const RenameTax = Schema.TaggedStruct("RenameTax", {
  id: Schema.Int,
  code: TaxCode,
  from: Schema.NullOr(Schema.String),
  name: Schema.NonEmptyString
})
const repeats = Schema.optionalKey(Schema.Int)
const DeleteTax = Schema.TaggedStruct("DeleteTax", { id: Schema.Int, code: TaxCode, device: Schema.Int, repeats })
const AddCurrency = Schema.TaggedStruct("AddCurrency", { code: CurrencyCode, device: Schema.NonEmptyString })
const RepointCurrency = Schema.TaggedStruct("RepointCurrency", {
  id: Schema.Int,
  code: CurrencyCode,
  from: Schema.String,
  device: Schema.NonEmptyString
})
const DeleteCurrency = Schema.TaggedStruct("DeleteCurrency", {
  id: Schema.Int,
  code: CurrencyCode,
  device: Schema.String,
  repeats
})

export const MappingStep = Schema.Union([AddTax, RenameTax, DeleteTax, AddCurrency, RepointCurrency, DeleteCurrency])
export type MappingStep = typeof MappingStep.Type

export const describe = (step: MappingStep): string => {
  switch (step._tag) {
    case "AddTax":
      return `map tax code ${step.code} (${step.name}) to device tax ${step.device}`
    case "RenameTax":
      return `call tax code ${step.code} "${step.name}" instead of "${step.from ?? ""}"`
    case "DeleteTax":
      return `delete mapping ${step.id}: tax code ${step.code} to device tax ${step.device}`
    case "AddCurrency":
      return `map currency ${step.code} to ${step.device}`
    case "RepointCurrency":
      return `map currency ${step.code} to ${step.device} instead of ${step.from}`
    case "DeleteCurrency":
      return `delete mapping ${step.id}: currency ${step.code} to ${step.device}`
  }
}

export const consequence = (step: MappingStep): string => {
  switch (step._tag) {
    case "AddTax":
      return "Documents may carry this code from then on; it means this device tax for ever."
    case "RenameTax":
      return "Only the name changes; what the code means stays."
    case "RepointCurrency":
      return "Documents in this code mean the other currency from then on; the store knows none so far."
    case "AddCurrency":
      return "Documents may carry this code from then on."
    case "DeleteTax":
    case "DeleteCurrency":
      return step.repeats === undefined
        ? "Documents with this code fail from then on (RCPT017, RCPT010)."
        : `Nothing changes for documents: mapping ${step.repeats} says the same and stays.`
  }
}
