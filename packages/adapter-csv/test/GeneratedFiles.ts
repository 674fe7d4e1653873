/**
 * Generates files with column names that no list of the adapter knows: ledgers, and honest invoices
 * with their lines. Amounts are whole cents.
 */

/** Returns numbers from 0 to below 1, the same for the same seed. */
export const randomOf = (seed: number): (() => number) => {
  let state = seed * 2654435761 + 12345
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) / (1 << 24)
  }
}

type Random = ReturnType<typeof randomOf>

const between = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
const one = <A>(random: Random, all: ReadonlyArray<A>): A => all[between(random, 0, all.length - 1)]!

/** Letters of a column name, by writing system. */
const alphabets = [
  "abcdefghijklmnoprstuvz",
  "äbcdéfghijklmñoprstüvz",
  "абвгдежзиклмнопрстуф",
  "αβγδεζηθικλμνοπρστυ",
  "ąćęłńóśźżabcdeiko",
  "会計日記帳取引金額摘要科目"
]

/** Returns a name that is a random word of one writing system. */
const nameOf = (random: Random, alphabet: string): string =>
  Array.from({ length: between(random, 4, 9) }, () => one(random, [...alphabet])).join("")

/** How figures and dates are written. */
interface Writing {
  readonly mark: "." | ","
  readonly groups: "" | "," | "." | " "
  readonly negative: "minus" | "brackets" | "minus after"
  readonly sign: "" | "$" | "€"
  readonly day: "iso" | "dmy"
  readonly delimiter: "," | ";" | "\t"
}

const writingOf = (random: Random): Writing => {
  const mark = one(random, [".", ","] as const)
  return {
    mark,
    groups: one(random, mark === "." ? (["", ","] as const) : (["", ".", " "] as const)),
    negative: one(random, ["minus", "brackets", "minus after"] as const),
    sign: one(random, ["", "", "$", "€"] as const),
    day: one(random, ["iso", "dmy"] as const),
    delimiter: one(random, mark === "," ? ([";", "\t"] as const) : ([",", ";", "\t"] as const))
  }
}

const money = (cents: number, { groups, mark, negative, sign }: Writing): string => {
  const whole = String(Math.floor(Math.abs(cents) / 100)).replaceAll(/\B(?=(\d{3})+$)/g, groups)
  const text = `${sign}${whole}${mark}${String(Math.abs(cents) % 100).padStart(2, "0")}`
  if (cents >= 0) return text
  return negative === "minus" ? `-${text}` : negative === "brackets" ? `(${text})` : `${text}-`
}

const dayOf = (random: Random, { day }: Writing): string => {
  const [month, date] = [between(random, 1, 12), between(random, 1, 28)].map((part) => String(part).padStart(2, "0"))
  return day === "iso" ? `2026-${month}-${date}` : `${date}.${month}.2026`
}

export interface Generated {
  readonly text: string
  /** Name of the column of each part of a row. */
  readonly names: Readonly<Record<string, string>>
}

/** Writes rows of named cells, with the columns in a random order. */
const written = (
  random: Random,
  { delimiter }: Writing,
  rows: ReadonlyArray<Readonly<Record<string, string>>>,
  titles: ReadonlyArray<string>
): Generated => {
  const alphabet = one(random, alphabets)
  const keys = Object.keys(rows[0]!)
    .map((key) => ({ key, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ key }) => key)
  const names = new Map<string, string>()
  for (const key of keys) {
    let name = nameOf(random, alphabet)
    while ([...names.values()].includes(name)) name = nameOf(random, alphabet)
    names.set(key, name)
  }
  const cell = (text: string) => (text.includes(delimiter) ? `"${text}"` : text)
  const header = keys.map((key) => names.get(key)!)
  const body = rows.map((row) => keys.map((key) => cell(row[key]!)).join(delimiter))
  return { names: Object.fromEntries(names), text: `${[...titles, header.join(delimiter), ...body].join("\n")}\n` }
}

const accounts = ["Sales", "Services", "Receivables", "VAT payable", "Bank", "Rent", "Wages", "Freight"]
const numbered = ["4000", "4010", "1200", "2310", "1010", "6100", "6200", "5300"]
const people = ["Joe", "Ann", "Moyo", "Tendai", "Acme"]

/** Forms in which a ledger states the two sides of a booking. */
export const sides = ["signed", "two columns", "a mark in a column", "a mark in the cell"] as const

/** Generates bookings of which each number adds up to zero. */
export const ledgerOf = (seed: number, side: (typeof sides)[number]): Generated => {
  const random = randomOf(seed)
  const writing = writingOf(random)
  const chart = one(random, [accounts, numbered])
  const marks = one(random, [
    ["D", "C"],
    ["Dr", "Cr"],
    ["S", "H"],
    ["Дт", "Кт"]
  ])
  const isFilledOnce = random() < 0.3
  const hasRunningNumber = random() < 0.4
  const rows: Array<Record<string, string>> = []
  // fewer bookings could have two marks by chance
  const fewest = side === "signed" || side === "two columns" ? 3 : 6
  for (let nth = 0, count = between(random, fewest, 30); nth < count; nth++) {
    const about = { number: `${7000 + nth}`, date: dayOf(random, writing), party: one(random, people) }
    const used = chart.map((name) => ({ name, at: random() })).toSorted((a, b) => a.at - b.at)
    const credits = Array.from({ length: between(random, 1, 3) }, () => between(random, 100, 900_000))
    const debit = credits.reduce((sum, amount) => sum + amount, 0)
    const bookings = [debit, ...credits.map((amount) => -amount)]
    const order = random() < 0.5 ? bookings : bookings.toReversed()
    for (const [i, amount] of order.entries()) {
      const [figure, isDebit] = [money(Math.abs(amount), writing), amount > 0]
      rows.push({
        number: isFilledOnce && i > 0 ? "" : about.number,
        date: about.date,
        account: used[i]!.name,
        text: `${about.party}, ${one(random, ["January", "order", "paid"])}`,
        party: about.party,
        ...(hasRunningNumber && { running: `${rows.length + 1}` }),
        ...(side === "signed"
          ? { amount: money(amount, writing) }
          : side === "two columns"
            ? { debit: isDebit ? figure : "", credit: isDebit ? "" : figure }
            : side === "a mark in a column"
              ? { amount: figure, mark: marks[isDebit ? 0 : 1]! }
              : { amount: `${figure} ${marks[isDebit ? 0 : 1]!}` })
      })
    }
  }
  const titles = random() < 0.3 ? ["Example Ltd", ""] : []
  return written(random, writing, rows, titles)
}

const items = ["Pen", "Lamp", "Nails 40 mm", "Fitting", "Delivery", "Bread", "Paper A4", "Tyre 185/65"]

/** Generates honest invoices and credit notes with their lines. */
export const invoicesOf = (seed: number): Generated => {
  const random = randomOf(seed)
  const writing = writingOf(random)
  const has = (chance: number) => random() < chance
  const [quantities, prices, taxed, totals] = [has(0.85), has(0.85), has(0.7), has(0.5)]
  const [kinds, flags, discounts, refunds, once] = [has(0.3), has(0.3), has(0.3), has(0.3), has(0.3)]
  const rate = one(random, [0, 10, 15, 21])
  const rows: Array<Record<string, string>> = []
  for (let nth = 0, count = between(random, 1, 20); nth < count; nth++) {
    const isNote = refunds && random() < 0.3
    const about = {
      number: `${isNote ? "CN" : "INV"}-${100 + nth}`,
      date: dayOf(random, writing),
      party: one(random, people)
    }
    const lines = Array.from({ length: between(random, 1, 4) }, () => {
      const [quantity, price] = [between(random, 1, 9), between(random, 1, 400) * 25]
      const off = discounts && random() < 0.2 ? Math.round(quantity * price * 0.1) : 0
      return { item: one(random, items), quantity, price, off, amount: quantity * price - off }
    })
    const net = lines.reduce((sum, { amount }) => sum + amount, 0)
    const sign = isNote ? -1 : 1
    for (const [i, { amount, item, off, price, quantity }] of lines.entries()) {
      const tax = Math.round((amount * rate) / 100)
      const whole = once && i > 0
      rows.push({
        number: about.number,
        date: about.date,
        party: whole ? "" : about.party,
        item,
        ...(quantities && { quantity: String(sign * quantity) }),
        ...(prices && { price: money(price, writing) }),
        ...(discounts && { off: money(off, writing) }),
        amount: money(sign * amount, writing),
        ...(taxed && { rate: `${rate}`, tax: money(sign * tax, writing) }),
        ...(totals && { total: whole ? "" : money(sign * net, writing) }),
        ...(kinds && { kind: isNote ? "N" : "F" }),
        ...(flags && { flag: one(random, ["Y", "N"]) })
      })
    }
  }
  return written(random, writing, rows, [])
}

/** Generates documents as they are printed: the number above each table. */
export const blocksOf = (seed: number): string => {
  const random = randomOf(seed)
  const writing = writingOf(random)
  const alphabet = one(random, alphabets)
  const [number, day, ...names] = Array.from({ length: 6 }, () => nameOf(random, alphabet)) as [string, string]
  const isOneCell = random() < 0.5
  const label = (name: string, value: string) =>
    isOneCell ? `${name}: ${value}` : `${name}${writing.delimiter}${value}`
  const documents = Array.from({ length: between(random, 2, 12) }, (_, nth) => [
    label(number, `${one(random, ["", "A-"])}${500 + nth}`),
    label(day, dayOf(random, writing)),
    names.join(writing.delimiter),
    ...Array.from({ length: between(random, 1, 4) }, () => {
      const [quantity, price] = [between(random, 1, 9), between(random, 1, 90) * 100]
      const cells = [
        one(random, items).replace(",", ""),
        String(quantity),
        money(price, writing),
        money(quantity * price, writing)
      ]
      return cells.map((cell) => (cell.includes(writing.delimiter) ? `"${cell}"` : cell)).join(writing.delimiter)
    }),
    ""
  ])
  return `${documents.flat().join("\n")}\n`
}

/** Generates one row per document, with its lines as JSON in a cell. */
export const packedOf = (seed: number): Generated => {
  const random = randomOf(seed)
  const writing: Writing = { ...writingOf(random), delimiter: "\t" }
  const rows = Array.from({ length: between(random, 1, 12) }, (_, nth) => ({
    number: `A${nth}`,
    date: dayOf(random, writing),
    party: one(random, people),
    lines: JSON.stringify(
      Array.from({ length: between(random, 1, 3) }, () => ({
        [nameOf(random, alphabets[0]!)]: one(random, items),
        [nameOf(random, alphabets[0]!)]: random() < 0.5 ? between(random, 1, 9) : String(between(random, 1, 9))
      }))
    ),
    total: money(between(random, 100, 90_000), writing)
  }))
  return written(random, writing, rows, [])
}

/** Generates records of two types, without a header. */
export const recordTypesOf = (seed: number): string => {
  const random = randomOf(seed)
  const writing: Writing = { ...writingOf(random), delimiter: "\t" }
  const alphabet = one(random, alphabets)
  const [document, line] = [nameOf(random, alphabet), `${nameOf(random, alphabet)}b`]
  const records = Array.from({ length: between(random, 2, 12) }, (_, nth) => [
    [
      document,
      `${900 + nth}`,
      dayOf(random, writing),
      one(random, people),
      money(between(random, 100, 90_000), writing)
    ],
    ...Array.from({ length: between(random, 1, 4) }, () => [
      line,
      one(random, items),
      String(between(random, 1, 9)),
      money(between(random, 100, 9_000), writing),
      one(random, ["A", "B"])
    ])
  ])
  return `${records
    .flat()
    .map((cells) => cells.join("\t"))
    .join("\n")}\n`
}

/** Generates a list of documents without lines. */
export const documentsOf = (seed: number): Generated => {
  const random = randomOf(seed)
  const writing = writingOf(random)
  const rate = one(random, [10, 15, 21])
  const rows = Array.from({ length: between(random, 1, 20) }, (_, nth) => {
    const net = between(random, 1, 9_000) * 100
    return {
      number: `A${100 + nth}`,
      date: dayOf(random, writing),
      party: one(random, people),
      net: money(net, writing),
      tax: money((net * rate) / 100, writing),
      gross: money((net * (100 + rate)) / 100, writing)
    }
  })
  return written(random, writing, rows, [])
}
