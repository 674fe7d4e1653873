/**
 * Rules that need facts of the device: its currencies, its taxes on the day, and its VAT
 * registration. Pure.
 */
import { BigDecimal } from "effect"
import { type CivilDate, of as dayOf } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { BookTax } from "../mapping/MappingBook.ts"
import type { Translated } from "../translate/Translated.ts"
import type { Step } from "../finding/Step.ts"
import { catalogue, type FindingCode } from "../finding/FindingCode.ts"
import type { Fact } from "../submission/ledger/AcceptedUnknown.ts"
import * as LostMappings from "../mapping/LostMappings.ts"
import type { DeviceFacts, DeviceTax, Doubt } from "./DeviceFacts.ts"
import { RCPT010, RCPT021, RCPT025 } from "../finding/ReceiptRule.ts"
import type { Violation } from "../finding/Rule.ts"

/**
 * Findings for guards that cannot be evaluated: the fact is missing, unreadable, not stated, or
 * accepted as unknown by an operator.
 */
export const FactFinding = catalogue({
  FACT_UNREADABLE: {
    severity: "error",
    meaning: "The gateway states a fact that this document needs, and the form of the fact cannot be read",
    consequence:
      "The document is not sent, because the device might accept it as a red receipt. Documents that do not need the fact are sent.",
    fix: "Ask the gateway's operator to return the field as documented. To send without the check, accept the fact as unknown, with the reason.",
    steps: [{ do: "show-device" }, { do: "accept-unknown" }]
  },
  FACT_MISSING: {
    severity: "error",
    meaning: "The gateway does not state a fact that this document needs",
    consequence: "The document is not sent, because the device might accept it as a red receipt.",
    fix: "Complete the configuration of the device in the gateway's portal. To send without the check, accept the fact as unknown, with the reason.",
    steps: [{ do: "show-device" }, { do: "accept-unknown" }]
  },
  FACT_NOT_STATED: {
    severity: "warning",
    meaning: "The gateway does not state an optional fact",
    consequence: "The check that needs the fact is not made.",
    fix: "If this is intended, no action is needed. Otherwise enter the fact in the gateway's portal."
  },
  FACT_ACCEPTED: {
    severity: "warning",
    meaning: "An operator accepted that the gateway does not state a fact",
    consequence: "Documents are sent without the check that needs the fact, until the gateway states the fact again.",
    fix: "Enter the fact in the gateway's portal; the acceptance then ends automatically."
  }
})

export interface DeviceRule {
  readonly rule: FindingCode
  check(translated: Translated, device: DeviceFacts): ReadonlyArray<Violation>
}

const firstWith = ({ document, origins }: Translated, { code }: BookTax): Violation["path"] => {
  const index = document.payload.lineItems.findIndex(({ taxCode }) => taxCode === code)
  return [...(origins[index] ?? ["lines"]), "taxes"]
}

const none: ReadonlyArray<Violation> = []

const eachTax = (
  translated: Translated,
  breach: (tax: BookTax) => Omit<Violation, "path"> | undefined
): ReadonlyArray<Violation> => {
  let violations: Array<Violation> | undefined
  for (const tax of translated.taxes.values()) {
    const violation = breach(tax)
    if (violation === undefined) continue
    violations ??= []
    violations.push({ path: firstWith(translated, tax), ...violation })
  }
  return violations ?? none
}

const describe = (percent: Money.Money | null) => (percent === null ? "exempt" : `${Money.formatPlain(percent)} %`)

const isSamePercent = (a: Money.Money | null, b: Money.Money | null): boolean =>
  a === null || b === null ? a === b : BigDecimal.equals(a, b)

const isValid = ({ since, until }: DeviceTax, day: string) => (since ?? "") <= day && day <= (until ?? "9999")

const appliedTax = (
  taxes: ReadonlyArray<DeviceTax>,
  { device, percent }: Pick<BookTax, "device" | "percent">,
  day: CivilDate
): DeviceTax | undefined =>
  taxes.find(
    (tax) =>
      tax.id === device && tax.unreadable === undefined && isValid(tax, day) && isSamePercent(tax.percent, percent)
  )

/**
 * Returns the last day on which the device applies the book's tax, as applied on the day. Null if
 * the device states no end, or is not known.
 */
export const lastDayOn =
  (device: Pick<DeviceFacts, "taxes"> | undefined) =>
  (tax: BookTax, day: CivilDate): CivilDate | null =>
    appliedTax(device?.taxes ?? [], tax, day)?.until ?? null

export const factNames: Readonly<Record<Fact, string>> = {
  taxes: "which taxes the device has",
  vat: "whether the taxpayer is registered for VAT",
  currencies: "which currencies the device knows",
  "last-close": "when the last fiscal day was closed"
}

/** The last close guards documents dated before today, because a fiscal day is closed only once. */
const needs = ({ date, taxes }: Translated, fact: Fact, today: CivilDate): boolean => {
  switch (fact) {
    case "taxes":
    case "currencies":
      return true
    case "vat":
      return [...taxes.values()].some(({ percent }) => percent !== null && BigDecimal.isPositive(percent))
    case "last-close":
      return (typeof date === "string" ? date : dayOf(date)) < today
  }
}

const paths: Readonly<Record<Fact, Violation["path"]>> = {
  taxes: ["lines"],
  vat: ["lines"],
  currencies: ["currency"],
  "last-close": ["date"]
}

const shownBy: Readonly<Record<Fact, Step>> = {
  taxes: { do: "show-device" },
  vat: { do: "show-device" },
  currencies: { do: "show-currencies" },
  "last-close": { do: "doctor" }
}

export const doubtful = ({ fact, state, text }: Doubt): Violation => ({
  path: paths[fact],
  message: `the gateway does not ${state === "missing" ? "say" : "say in a form that can be read"} ${factNames[fact]}`,
  detail: text,
  steps: [shownBy[fact], { do: "accept-unknown", fact }]
})

const doubts =
  (state: Doubt["state"]): DeviceRule["check"] =>
  (translated, device) =>
    device.doubts.filter((doubt) => doubt.state === state && needs(translated, doubt.fact, device.today)).map(doubtful)

const unreadableTax = ({ lostTax, taxes }: DeviceFacts, device: number): string | undefined => {
  const own = (taxes ?? []).filter(({ id }) => id === device)
  if (own.length === 0) return lostTax ?? undefined
  return own.find(({ unreadable }) => unreadable !== undefined)?.unreadable
}

/**
 * Skipping the check is not offered: the gateway itself might not know the code, or map it
 * differently.
 */
const correctRow =
  "Have the row corrected in the gateway's portal, then import again. Do not add the mapping once more: the row may be the one."

const lostMappings = (translated: Translated, { mappings }: DeviceFacts): ReadonlyArray<Violation> => {
  if (mappings === null) return none
  const { currencies, lost, taxes } = mappings
  if (lost.taxes.length + lost.currencies.length === 0) return none
  const { currencyCode } = translated.document.payload
  const isMapped = currencies.some(({ sourceCurrency }) => sourceCurrency === currencyCode)
  const ofCurrency = LostMappings.mayMap(lost.currencies, currencyCode, isMapped)
  const ofTaxes = eachTax(translated, ({ code }) => {
    const row = LostMappings.mayMap(
      lost.taxes,
      code,
      taxes.some(({ taxCode }) => taxCode === code)
    )
    return row === undefined ? undefined : unreadableRow(`tax code ${code}`, row, "tax")
  })
  if (ofCurrency === undefined) return ofTaxes
  return [{ path: paths.currencies, ...unreadableRow(`currency ${currencyCode}`, ofCurrency, "currency") }, ...ofTaxes]
}

const unreadableRow = (what: string, { text }: LostMappings.LostRow, of: "tax" | "currency") => ({
  message: `the gateway does not say in a form that can be read what it maps ${what} to`,
  detail: text,
  fix: correctRow,
  steps: [{ do: "list-mappings", of }] as const
})

export const deviceRules: ReadonlyArray<DeviceRule> = [
  { rule: FactFinding.FACT_MISSING, check: doubts("missing") },
  {
    rule: FactFinding.FACT_UNREADABLE,
    check: (translated, device) => {
      const { taxDate } = translated
      const taxes = device.taxes ?? []
      const found = eachTax(translated, (tax) => {
        if (appliedTax(taxes, tax, taxDate) !== undefined) return undefined
        const detail = unreadableTax(device, tax.device)
        const message = `${tax.code} is device tax ${tax.device}, of which the gateway's answer cannot be read`
        return detail === undefined ? undefined : { message, detail, steps: [{ do: "show-device" }] }
      })
      return [...doubts("unreadable")(translated, device), ...found, ...lostMappings(translated, device)]
    }
  },
  {
    rule: RCPT010,
    check: ({ deviceCurrency }, { currencies }) =>
      currencies === null || currencies.has(deviceCurrency)
        ? none
        : [{ path: ["currency"], message: `the device does not know the currency ${deviceCurrency}` }]
  },
  {
    rule: RCPT021,
    check: (translated, { vat }) =>
      vat !== "not-registered"
        ? none
        : eachTax(translated, ({ code, percent }) =>
            percent !== null && BigDecimal.isPositive(percent)
              ? { message: `${code} is ${describe(percent)}, and the taxpayer is not registered for VAT` }
              : undefined
          )
  },
  {
    rule: RCPT025,
    check: (translated, facts) => {
      const { taxes } = facts
      if (taxes === null) return none
      const { taxDate } = translated
      return eachTax(translated, (tax) => {
        if (appliedTax(taxes, tax, taxDate) !== undefined || unreadableTax(facts, tax.device)) return undefined
        const { code, device, percent } = tax
        const candidates = taxes
          .filter((tax) => isValid(tax, taxDate))
          .map((tax) => `${tax.id} ${tax.name ?? ""} ${describe(tax.percent)}`)
        const message = taxes.every(({ id }) => id !== device)
          ? `${code} is device tax ${device}, which the device does not have`
          : `${code} is device tax ${device} at ${describe(percent)}, which the device does not apply on ${taxDate}`
        return { message, detail: `on ${taxDate} the device has ${candidates.join(", ") || "no tax at all"}` }
      })
    }
  }
]
