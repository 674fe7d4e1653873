/** Changes that make the gateway map as the book says, and changes that must not be made. Pure. */
import type { CivilDate } from "../document/CivilDate.ts"
import * as Finding from "../finding/Finding.ts"
import * as DeviceDrift from "./DeviceDrift.ts"
import type { GatewayMappings } from "./GatewayMappings.ts"
import * as LostMappings from "./LostMappings.ts"
import type { BookTax, MappingBook } from "./MappingBook.ts"
import { MappingFinding } from "./MappingFinding.ts"
import type { MappingStep } from "./MappingStep.ts"

export interface MappingPlan {
  readonly steps: ReadonlyArray<MappingStep>
  /**
   * Drift, extra mappings, and changes that are not made although the book requires them. An error
   * excludes only its own code from `steps`.
   */
  readonly findings: ReadonlyArray<Finding.Finding>
}

/** Codes of submissions in the store; `unknown` counts as all codes. */
export interface CodesInUse {
  readonly taxCodes: ReadonlySet<string> | "unknown"
  readonly currencies: ReadonlySet<string> | "unknown"
}

export interface MappingPlanOptions {
  readonly extras: "keep" | "delete"
  readonly inUse: CodesInUse
  readonly today: CivilDate
}

/** Compares the book with the gateway and the device. Percents are compared as decimals. */
export const make = (book: MappingBook, gateway: GatewayMappings, options: MappingPlanOptions): MappingPlan => {
  const parts = [
    ...uniqueBy(book.taxes, ({ code }) => code).map((tax) => planTax(tax, book, gateway, options)),
    ...uniqueBy(book.currencies, ({ code }) => code).map(({ code, device }) =>
      planCurrency(code, device, gateway, options)
    ),
    extraTaxes(book, gateway, options),
    extraCurrencies(book, gateway, options),
    found(...DeviceDrift.unnamed(book, gateway.deviceTaxes ?? [], options.today))
  ]
  const order = (step: MappingStep) => (step._tag.startsWith("Add") ? 0 : step._tag.startsWith("Delete") ? 2 : 1)
  return {
    steps: parts.flatMap(({ steps }) => steps).toSorted((a, b) => order(a) - order(b)),
    findings: parts.flatMap(({ findings }) => findings)
  }
}

type PartOfPlan = MappingPlan

/**
 * Text for an id that the gateway omitted or wrote in an unreadable form. A mapping without an id
 * is compared but never changed.
 */
const noId = "without an id"

export const hasId = <A extends { readonly id: number | null }>(mapping: A): mapping is A & { readonly id: number } =>
  mapping.id !== null

const ofSame = ({ id }: { readonly id: number | null }) => (id === null ? {} : { repeats: id })

const found = (...findings: ReadonlyArray<Finding.Finding>): PartOfPlan => ({ steps: [], findings })
const isUsed = (codes: ReadonlySet<string> | "unknown", code: string) => codes === "unknown" || codes.has(code)

/** An unreadable row may already map the code, possibly to another target. */
const unreadable = (what: string, code: string, row: LostMappings.LostRow) =>
  Finding.make(MappingFinding.MAPPING_UNREADABLE, {
    message: `a row of the gateway that cannot be read may map ${what} ${code}`,
    detail: row.text
  })

const planTax = (
  tax: BookTax,
  book: MappingBook,
  gateway: GatewayMappings,
  options: MappingPlanOptions
): PartOfPlan => {
  const drift =
    gateway.deviceTaxes === null ? [] : DeviceDrift.ofCode(tax.code, book, gateway.deviceTaxes, options.today)
  const [first, ...others] = gateway.taxes.filter(({ taxCode }) => taxCode === tax.code)
  const lost = LostMappings.mayMap(gateway.lost.taxes, tax.code, first !== undefined)
  if (lost !== undefined) return found(...drift, unreadable("tax code", tax.code, lost))
  if (first === undefined) {
    const { code, device, name } = tax
    return { steps: drift.some(Finding.refuses) ? [] : [{ _tag: "AddTax", code, name, device }], findings: drift }
  }
  const targets = new Set([first, ...others].map(({ destinationTaxId }) => destinationTaxId))
  if (targets.size > 1) {
    const detail = [first, ...others].map(
      ({ destinationTaxId, id }) => `mapping ${id ?? noId}: device tax ${destinationTaxId}`
    )
    const message = `the gateway maps tax code ${tax.code} to several device taxes`
    return found(...drift, Finding.make(MappingFinding.MAPPING_AMBIGUOUS, { message, detail: detail.join(", ") }))
  }
  if (first.destinationTaxId !== tax.device) {
    const message = `tax code ${tax.code} is mapped to device tax ${first.destinationTaxId}, the book says ${tax.device}`
    if (first.id === null) return found(...drift, Finding.make(MappingFinding.MAPPING_REPOINTED, { message }))
    const fix = `${MappingFinding.MAPPING_REPOINTED.fix} If no document was ever sent under ${tax.code}: delete the mapping ${first.id}, then plan again.`
    const steps = [{ do: "delete-mapping", of: "tax", id: first.id }, { do: "compare-mappings" }] as const
    return found(...drift, Finding.make(MappingFinding.MAPPING_REPOINTED, { message, fix, steps }))
  }
  const repeats = others
    .filter(hasId)
    .map(({ destinationTaxId, id }) => ({ id, code: tax.code, device: destinationTaxId }))
  const isRenamed = tax.name !== tax.code && first.taxName !== tax.name
  return {
    steps: [
      ...(isRenamed && hasId(first)
        ? [{ _tag: "RenameTax" as const, id: first.id, code: tax.code, from: first.taxName, name: tax.name }]
        : []),
      ...(options.extras === "delete"
        ? repeats.map((repeat) => ({ _tag: "DeleteTax" as const, ...repeat, ...ofSame(first) }))
        : [])
    ],
    findings: [
      ...drift,
      ...(options.extras === "keep" ? repeats.map(({ code, id }) => repeated("tax code", code, id)) : [])
    ]
  }
}

const planCurrency = (
  code: MappingBook["currencies"][number]["code"],
  device: string,
  { currencies, lost, supportedCurrencies }: GatewayMappings,
  { extras, inUse }: MappingPlanOptions
): PartOfPlan => {
  const unsupported =
    supportedCurrencies === null || supportedCurrencies.includes(device)
      ? []
      : [
          Finding.make(MappingFinding.DEVICE_CURRENCY_UNSUPPORTED, {
            message: `currency ${code} is ${device}, which the device does not know`,
            detail: `it knows ${supportedCurrencies.join(", ") || "none"}`
          })
        ]
  const [first, ...others] = currencies.filter(({ sourceCurrency }) => sourceCurrency === code)
  const row = LostMappings.mayMap(lost.currencies, code, first !== undefined)
  if (row !== undefined) return found(...unsupported, unreadable("currency", code, row))
  if (first === undefined) {
    return { steps: unsupported.length > 0 ? [] : [{ _tag: "AddCurrency", code, device }], findings: unsupported }
  }
  if (others.some(({ destinationCurrency }) => destinationCurrency !== first.destinationCurrency)) {
    const detail = [first, ...others].map(
      ({ destinationCurrency, id }) => `mapping ${id ?? noId}: ${destinationCurrency}`
    )
    const message = `the gateway maps currency ${code} to several currencies`
    return found(...unsupported, Finding.make(MappingFinding.MAPPING_AMBIGUOUS, { message, detail: detail.join(", ") }))
  }
  if (first.destinationCurrency !== device) {
    const message = `currency ${code} is mapped to ${first.destinationCurrency}, the book says ${device}`
    if (unsupported.length > 0) return found(...unsupported)
    if (!hasId(first) || others.length > 0 || isUsed(inUse.currencies, code)) {
      const fix = "Correct the book, or use another code for the other currency in the source."
      return found(Finding.make(MappingFinding.MAPPING_REPOINTED, { message, fix }))
    }
    return {
      steps: [{ _tag: "RepointCurrency", id: first.id, code, from: first.destinationCurrency, device }],
      findings: []
    }
  }
  const repeats = others.filter(hasId).map(({ destinationCurrency, id }) => ({ id, code, device: destinationCurrency }))
  return extras === "delete"
    ? {
        steps: repeats.map((repeat) => ({ _tag: "DeleteCurrency", ...repeat, ...ofSame(first) })),
        findings: unsupported
      }
    : found(...unsupported, ...repeats.map(({ code, id }) => repeated("currency", code, id)))
}

const repeated = (what: string, code: string, id: number) =>
  Finding.make(MappingFinding.MAPPING_REPEATED, {
    message: `the gateway maps ${what} ${code} twice to the same`,
    detail: `mapping ${id} is the later one`
  })

interface Extra {
  readonly id: number | null
  readonly what: string
  readonly mappedTo: string
  readonly isUsed: boolean
  readonly remove: (id: number) => MappingStep
}

const ofExtra =
  (extras: MappingPlanOptions["extras"]) =>
  ({ id, isUsed, mappedTo, remove, what }: Extra): PartOfPlan => {
    const message = `${what}, mapped to ${mappedTo}, is not in the book`
    if (extras === "keep") return found(Finding.make(MappingFinding.MAPPING_EXTRA, { message }))
    if (id === null) return found(Finding.make(MappingFinding.MAPPING_EXTRA, { message: `${message} and ${noId}` }))
    return isUsed
      ? found(Finding.make(MappingFinding.MAPPING_IN_USE, { message: `${what} is in use` }))
      : { steps: [remove(id)], findings: [] }
  }

const extraTaxes = (book: MappingBook, { taxes }: GatewayMappings, { extras, inUse }: MappingPlanOptions): PartOfPlan =>
  joined(
    taxes
      .filter(({ taxCode }) => !book.taxes.some(({ code }) => code === taxCode))
      .map(({ destinationTaxId: device, id, taxCode: code }) => ({
        id,
        what: `tax code ${code}`,
        mappedTo: `device tax ${device}`,
        isUsed: isUsed(inUse.taxCodes, code),
        remove: (id: number): MappingStep => ({ _tag: "DeleteTax", id, code, device })
      }))
      .map(ofExtra(extras))
  )

const extraCurrencies = (
  book: MappingBook,
  { currencies }: GatewayMappings,
  { extras, inUse }: MappingPlanOptions
): PartOfPlan =>
  joined(
    currencies
      .filter(({ sourceCurrency }) => !book.currencies.some(({ code }) => code === sourceCurrency))
      .map(({ destinationCurrency: device, id, sourceCurrency: code }) => ({
        id,
        what: `currency ${code}`,
        mappedTo: device,
        isUsed: isUsed(inUse.currencies, code),
        remove: (id: number): MappingStep => ({ _tag: "DeleteCurrency", id, code, device })
      }))
      .map(ofExtra(extras))
  )

const joined = (parts: ReadonlyArray<PartOfPlan>): PartOfPlan => ({
  steps: parts.flatMap(({ steps }) => steps),
  findings: parts.flatMap(({ findings }) => findings)
})

const uniqueBy = <A>(items: ReadonlyArray<A>, key: (item: A) => string): ReadonlyArray<A> =>
  [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed()
