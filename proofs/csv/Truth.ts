/** Documents of known content, to be written as CSV in many ways and read back. */
import type { Random } from "../Random.ts"

/** Decimal number as an integer and a number of places: `{ value: 12345, places: 2 }` is 123.45. */
export interface Decimal {
  readonly value: number
  readonly places: number
}

export interface TrueLine {
  readonly description: string
  readonly quantity: Decimal
  readonly unitPrice: Decimal
  readonly lineAmount: Decimal
}

export interface TrueDocument {
  readonly number: string
  readonly year: number
  readonly month: number
  readonly day: number
  readonly customer: string
  readonly lines: ReadonlyArray<TrueLine>
}

/** Returns the number without trailing zeros and without an exponent. */
export const plainText = ({ places, value }: Decimal): string => {
  const digits = String(Math.abs(value)).padStart(places + 1, "0")
  const fraction = places === 0 ? "" : digits.slice(-places).replace(/0+$/, "")
  const whole = places === 0 ? digits : digits.slice(0, -places)
  return `${value < 0 ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`
}

export const isoDate = ({ day, month, year }: TrueDocument): string =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`

export const scripts = {
  latin: [
    "José Müller",
    "Café Noir",
    "Größe & Söhne",
    "Åse Ørsted",
    "Plain Ltd",
    "ÉCOLE Nº 5",
    "Straße 5",
    "Façade, Inc."
  ],
  ascii: ["Plain Ltd", "O'Brien & Co", 'The "Big" One', "Acme, Inc.", "back\\slash Ltd", "Semi; colon", "Pipe | works"],
  chinese: ["北京有限公司", "张伟", "上海科技", "李娜 Trading", "罗 罗", "通", "A4纸"],
  cyrillic: ["Иван Петров", "Москва", "ООО Ромашка"]
} as const

export type Script = keyof typeof scripts

const words = ["Pen", "Ink, black", "Cable 5 m", "Paper\nA4", 'Mug "L"', "Consulting", "Freight; express", "Tray"]

/**
 * Draws documents. `busy`: more documents, with figures of every size. `few`: few and small
 * documents, from which little can be concluded.
 */
export const documents = (random: Random, script: Script, size: "few" | "busy"): ReadonlyArray<TrueDocument> => {
  const year = random.between(2015, 2026)
  const lastDay = random.chance(0.5) ? 28 : 12
  return random.times(1, size === "few" ? 3 : 14, (i) => ({
    number: `${random.pick(["INV-", "", "R/", "#"])}${1000 + i}`,
    year,
    month: random.between(1, 12),
    day: random.between(1, lastDay),
    customer: random.pick(scripts[random.chance(0.6) ? script : "ascii"]),
    lines: lines(random, size)
  }))
}

const lines = (random: Random, size: "few" | "busy"): ReadonlyArray<TrueLine> => {
  const made = random.times(1, 4, () => {
    const quantity = random.pick([
      { value: random.between(1, 9), places: 0 },
      { value: random.between(1, 5) * 1000, places: 0 },
      { value: random.between(1, 9999), places: 3 },
      { value: random.between(1, 50), places: 1 }
    ])
    const unitPrice =
      size === "few" && random.chance(0.5)
        ? { value: random.between(1, 9) * 1000, places: 0 }
        : { value: random.between(1, 999_999), places: random.pick([2, 2, 2, 3, 4]) }
    const product = (quantity.value * unitPrice.value) / 10 ** (quantity.places + unitPrice.places)
    return {
      description: random.pick(words),
      quantity,
      unitPrice,
      lineAmount: { value: Math.round(product * 100), places: 2 }
    }
  })
  return random.chance(0.1) ? [...made, made[0]!] : made
}
