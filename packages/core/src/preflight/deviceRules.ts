/** The rules that need to know the device: its currencies, its taxes on the day, whether its taxpayer may charge VAT. Pure. */
import { BigDecimal } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { BookTax } from "../mapping/MappingBook.ts"
import type { Translated } from "../translate/Translated.ts"
import type { DeviceFacts, DeviceTax } from "./DeviceFacts.ts"
import { RCPT010, RCPT021, RCPT025 } from "./ReceiptRule.ts"
import type { Rule, Violation } from "./Rule.ts"

export interface DeviceRule {
  readonly rule: Rule
  check(translated: Translated, device: DeviceFacts): ReadonlyArray<Violation>
}

/** The first line that has the tax. */
const firstWith = ({ document, origins }: Translated, { code }: BookTax): Violation["path"] => {
  const index = document.payload.lineItems.findIndex(({ taxCode }) => taxCode === code)
  return [...(origins[index] ?? ["lines"]), "taxes"]
}

const none: ReadonlyArray<Violation> = []

/** Every tax of the document that is in breach. */
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

/** The device's tax that the book's is, as it applies on the day. */
export const appliedTax = (
  taxes: ReadonlyArray<DeviceTax>,
  { device, percent }: Pick<BookTax, "device" | "percent">,
  day: CivilDate
): DeviceTax | undefined =>
  taxes.find((tax) => tax.id === device && isValid(tax, day) && isSamePercent(tax.percent, percent))

export const deviceRules: ReadonlyArray<DeviceRule> = [
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
    check: (translated, { taxes }) => {
      if (taxes === null) return none
      const { taxDate } = translated
      return eachTax(translated, (tax) => {
        if (appliedTax(taxes, tax, taxDate) !== undefined) return undefined
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
