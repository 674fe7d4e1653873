/** The rules that need to know the device: its currencies, its taxes on the day, whether its taxpayer may charge VAT. Pure. */
import { BigDecimal, Option } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { BookTax } from "../mapping/MappingBook.ts"
import type { Translated } from "../translate/Translated.ts"
import type { DeviceFacts, DeviceTax } from "./DeviceFacts.ts"
import { RCPT010, RCPT021, RCPT025 } from "./ReceiptRule.ts"
import type { Rule, Violation } from "./Rule.ts"

export interface DeviceRule {
  readonly rule: Rule
  check(translated: Translated, device: DeviceFacts): Iterable<Violation>
}

/** Every tax of the document, with the first line that has it. */
function* taxesOf({ document, origins, taxes }: Translated): Generator<readonly [BookTax, Violation["path"]]> {
  for (const tax of taxes.values()) {
    const index = document.payload.lineItems.findIndex(({ taxCode }) => taxCode === tax.code)
    yield [tax, [...(origins[index] ?? ["lines"]), "taxes"]]
  }
}

const describe = (percent: Money.Money | null) => (percent === null ? "exempt" : `${Money.formatPlain(percent)} %`)

const samePercent = Option.makeEquivalence(BigDecimal.Equivalence)

const isValid = ({ since, until }: DeviceTax, day: string) => (since ?? "") <= day && day <= (until ?? "9999")

/** The device's tax that the book's is, as it applies on the day. */
export const appliedTax = (
  taxes: ReadonlyArray<DeviceTax>,
  { device, percent }: Pick<BookTax, "device" | "percent">,
  day: CivilDate
): DeviceTax | undefined =>
  taxes.find(
    (tax) =>
      tax.id === device && isValid(tax, day) && samePercent(Option.fromNullOr(tax.percent), Option.fromNullOr(percent))
  )

export const deviceRules: ReadonlyArray<DeviceRule> = [
  {
    rule: RCPT010,
    check: ({ deviceCurrency }, { currencies }) =>
      currencies === null || currencies.has(deviceCurrency)
        ? []
        : [{ path: ["currency"], message: `the device does not know the currency ${deviceCurrency}` }]
  },
  {
    rule: RCPT021,
    *check(translated, { vat }) {
      if (vat !== "not-registered") return
      for (const [{ code, percent }, path] of taxesOf(translated)) {
        if (percent !== null && BigDecimal.isPositive(percent)) {
          yield { path, message: `${code} is ${describe(percent)}, and the taxpayer is not registered for VAT` }
        }
      }
    }
  },
  {
    rule: RCPT025,
    *check(translated, { taxes }) {
      if (taxes === null) return
      const { taxDate } = translated
      for (const [tax, path] of taxesOf(translated)) {
        if (appliedTax(taxes, tax, taxDate) !== undefined) continue
        const { code, device, percent } = tax
        const candidates = taxes
          .filter((tax) => isValid(tax, taxDate))
          .map((tax) => `${tax.id} ${tax.name ?? ""} ${describe(tax.percent)}`)
        const message = taxes.every(({ id }) => id !== device)
          ? `${code} is device tax ${device}, which the device does not have`
          : `${code} is device tax ${device} at ${describe(percent)}, which the device does not apply on ${taxDate}`
        yield { path, message, detail: `on ${taxDate} the device has ${candidates.join(", ") || "no tax at all"}` }
      }
    }
  }
]
