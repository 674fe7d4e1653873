/** Performs a saved plan; can be interrupted at any point and called again. */
import { Effect, Schema } from "effect"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import * as GatewayMappings from "./GatewayMappings.ts"
import * as LostMappings from "./LostMappings.ts"
import type { MappingStep } from "./MappingStep.ts"
import { found, type SavedMapping, type SavedPlan } from "./SavedPlan.ts"

/**
 * The gateway's current mappings match neither the state at planning nor the results of the plan's
 * own steps. No further steps were performed.
 */
export class PlanStale extends Schema.TaggedError<PlanStale>("@fiscal-connector/core/unstable/mapping/PlanStale")(
  "PlanStale",
  {
    differences: Schema.Array(Schema.String)
  }
) {
  override get message() {
    return `the gateway's mappings are not those the plan was made for: ${this.differences.join("; ")}`
  }
}

type MappingOperations = Pick<
  GatewayOperations,
  | "taxMappings"
  | "addTaxMapping"
  | "updateTaxMapping"
  | "deleteTaxMapping"
  | "currencyMappings"
  | "addCurrencyMapping"
  | "updateCurrencyMapping"
  | "deleteCurrencyMapping"
  | "misfits"
>

export interface Performed {
  readonly step: MappingStep
  readonly when: "now" | "before"
}

/**
 * Reads the gateway before each step. Fails with PlanStale if another client has changed a mapping,
 * and with the GatewayError of a failed step; call again to continue. A step with an unknown
 * outcome is looked up and never repeated blindly, so that no mapping is added twice.
 */
export const apply = (
  plan: SavedPlan,
  gateway: MappingOperations,
  onPerformed: (performed: Performed) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<void, GatewayError | PlanStale> =>
  Effect.gen(function* () {
    const look = Effect.gen(function* () {
      const now = yield* GatewayMappings.readCodes(gateway)
      const differences = differencesOf(plan, now)
      return differences.length === 0 ? now : yield* new PlanStale({ differences })
    })
    for (const step of plan.steps) {
      const now = yield* look
      if (isDone(step, now)) {
        yield* onPerformed({ step, when: "before" })
        continue
      }
      yield* perform(step, now, gateway).pipe(
        Effect.catchReason("GatewayError", "UnknownOutcome", (_, error) =>
          Effect.flatMap(look, (after) => (isDone(step, after) ? Effect.void : Effect.fail(error)))
        )
      )
      yield* onPerformed({ step, when: "now" })
    }
  })

type Now = GatewayMappings.MappedCodes

const isDone = (step: MappingStep, { currencies, taxes }: Now): boolean => {
  switch (step._tag) {
    case "AddTax":
      return taxes.some(({ destinationTaxId, taxCode }) => taxCode === step.code && destinationTaxId === step.device)
    case "RenameTax":
      return taxes.some(({ id, taxName }) => id === step.id && taxName === step.name)
    case "DeleteTax":
      return !taxes.some(({ id }) => id === step.id)
    case "AddCurrency":
    case "RepointCurrency":
      return currencies.some(
        ({ destinationCurrency, sourceCurrency }) => sourceCurrency === step.code && destinationCurrency === step.device
      )
    case "DeleteCurrency":
      return !currencies.some(({ id }) => id === step.id)
  }
}

const perform = (
  step: MappingStep,
  { currencies, taxes }: Now,
  gateway: MappingOperations
): Effect.Effect<unknown, GatewayError> => {
  switch (step._tag) {
    case "AddTax":
      return gateway.addTaxMapping({ taxCode: step.code, taxName: step.name, destinationTaxId: step.device })
    case "RenameTax":
      return Effect.forEach(
        taxes.filter(({ id }) => id === step.id),
        (mapping) => gateway.updateTaxMapping({ ...mapping, id: step.id, taxName: step.name })
      )
    case "DeleteTax":
      return gateway.deleteTaxMapping(step.id)
    case "AddCurrency":
      return gateway.addCurrencyMapping({ sourceCurrency: step.code, destinationCurrency: step.device })
    case "RepointCurrency":
      return Effect.forEach(
        currencies.filter(({ id }) => id === step.id),
        (mapping) => gateway.updateCurrencyMapping({ ...mapping, id: step.id, destinationCurrency: step.device })
      )
    case "DeleteCurrency":
      return gateway.deleteCurrencyMapping(step.id)
  }
}

const differencesOf = (plan: SavedPlan, now: Now): ReadonlyArray<string> => {
  const { currencies, taxes } = found(now)
  const taxSteps = plan.steps.filter(({ _tag }) => _tag.endsWith("Tax"))
  const currencySteps = plan.steps.filter(({ _tag }) => !_tag.endsWith("Tax"))
  return [
    ...differencesIn("tax code", plan.taxes, taxes, taxSteps),
    ...differencesIn("currency", plan.currencies, currencies, currencySteps),
    ...plan.steps.flatMap((step) => lostFor(step, now))
  ]
}

/** Unreadable rows may already contain the addition: a second mapping must not be added. */
const lostFor = (step: MappingStep, now: Now): ReadonlyArray<string> => {
  if (isDone(step, now)) return []
  switch (step._tag) {
    case "AddTax": {
      const isMapped = now.taxes.some(({ taxCode }) => taxCode === step.code)
      const row = LostMappings.mayMap(now.lost.taxes, step.code, isMapped)
      return row === undefined ? [] : [`${row.text}; it may map tax code ${step.code}`]
    }
    case "AddCurrency": {
      const isMapped = now.currencies.some(({ sourceCurrency }) => sourceCurrency === step.code)
      const row = LostMappings.mayMap(now.lost.currencies, step.code, isMapped)
      return row === undefined ? [] : [`${row.text}; it may map currency ${step.code}`]
    }
    default:
      return []
  }
}

const differencesIn = (
  what: string,
  before: ReadonlyArray<SavedMapping>,
  now: ReadonlyArray<SavedMapping>,
  steps: ReadonlyArray<MappingStep>
): ReadonlyArray<string> => {
  const expected = new Map(before.map((mapping) => [mapping.id, mapping]))
  const present = new Map(now.map((mapping) => [mapping.id, mapping]))
  const additions = steps.flatMap((step) => (step._tag === "AddTax" || step._tag === "AddCurrency" ? [step] : []))
  const changed = before.flatMap((mapping) => {
    const current = present.get(mapping.id)
    const step = steps.find((step) => "id" in step && step.id === mapping.id)
    if (current === undefined) {
      return step?._tag.startsWith("Delete") ? [] : [`${what} ${mapping.code} (mapping ${mapping.id}) is gone`]
    }
    const outcomes = [mapping, ...(step === undefined ? [] : [after(mapping, step)])]
    return outcomes.some((outcome) => isSame(outcome, current))
      ? []
      : [`${what} ${mapping.code} (mapping ${mapping.id}) is now ${current.code} to ${current.device}`]
  })
  const added = now.flatMap(({ code, device, id }) => {
    if (expected.has(id)) return []
    const own = additions.findIndex((step) => step.code === code && String(step.device) === device)
    if (own === -1) return [`${what} ${code} has been mapped to ${device} (mapping ${id})`]
    additions.splice(own, 1)
    return []
  })
  return [...changed, ...added]
}

const isSame = (a: SavedMapping, b: SavedMapping): boolean =>
  a.code === b.code && a.device === b.device && a.name === b.name

const after = (mapping: SavedMapping, step: MappingStep): SavedMapping => {
  if (step._tag === "RenameTax") return { ...mapping, name: step.name }
  return step._tag === "RepointCurrency" ? { ...mapping, device: step.device } : mapping
}
