/** What a batch uses and the mapping book does not know, once each: how often, where, and what the device has to map it to. Pure. */
import type { Finding, Path } from "../finding/Finding.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import type { DeviceFacts, DeviceTax } from "./DeviceFacts.ts"

export interface Unmapped {
  readonly what: "tax" | "currency" | "payment"
  /** The export's spelling. */
  readonly spelling: string
  /** Documents that use it. */
  readonly count: number
  /** Up to three document numbers. */
  readonly examples: ReadonlyArray<string>
}

export interface UnmappedCodes {
  readonly codes: ReadonlyArray<Unmapped>
  /** The device's taxes, for a person to choose from; null where the device does not say. */
  readonly taxes: ReadonlyArray<DeviceTax> | null
  readonly currencies: ReadonlyArray<string> | null
}

interface Examined {
  readonly source: Pick<SourceDocument, "number" | "lines" | "charges" | "currency" | "paymentMethod">
  readonly findings: ReadonlyArray<Finding>
}

/** Groups what refused documents for want of a mapping, in the order in which it first occurs. */
export const inBatch = (documents: Iterable<Examined>, device: DeviceFacts | undefined): UnmappedCodes => {
  const groups = new Map<string, Unmapped>()
  for (const { findings, source } of documents) {
    const ofDocument = new Map(
      findings.flatMap((finding) => {
        const use = useOf(finding, source)
        return use === undefined ? [] : [[`${use.what} ${use.spelling}`, use] as const]
      })
    )
    for (const [key, { spelling, what }] of ofDocument) {
      const { count, examples } = groups.get(key) ?? { count: 0, examples: [] }
      groups.set(key, {
        what,
        spelling,
        count: count + 1,
        examples: examples.length < 3 ? [...examples, source.number] : examples
      })
    }
  }
  return {
    codes: [...groups.values()],
    taxes: device?.taxes ?? null,
    currencies: device?.currencies == null ? null : [...device.currencies]
  }
}

const useOf = (
  { code, path }: Finding,
  source: Examined["source"]
): Pick<Unmapped, "what" | "spelling"> | undefined => {
  switch (code) {
    case TranslateFinding.TAX_UNMAPPED.code:
    case TranslateFinding.TAX_OUT_OF_PERIOD.code: {
      const spelling = taxAt(path, source)
      return spelling === undefined ? undefined : { what: "tax", spelling }
    }
    case TranslateFinding.CURRENCY_UNMAPPED.code:
      return { what: "currency", spelling: source.currency?.trim() ?? "" }
    case TranslateFinding.PAYMENT_UNMAPPED.code:
      return { what: "payment", spelling: source.paymentMethod?.trim() ?? "" }
    default:
      return undefined
  }
}

/** The spelling of the tax that a path such as `["lines", 2, "taxes"]` leads to. */
const taxAt = ([list, index]: Path, { charges, lines }: Examined["source"]): string | undefined =>
  typeof index === "number" ? (list === "charges" ? charges : lines)[index]?.taxes[0]?.code : undefined
