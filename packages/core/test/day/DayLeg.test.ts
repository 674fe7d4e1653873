/**
 * Planted differences between a device and a store: each is found to the cent, the true cause is
 * named, and no document is named alone wrongly. Full run: `PLANTED=200`.
 */
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, DateTime } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as AccountLegs from "../../src/day/AccountLegs.ts"
import * as DayLeg from "../../src/day/DayLeg.ts"
import * as ReceiptNumbers from "../../src/day/ReceiptNumbers.ts"
import type { Candidate, DayReceipt, SentDocument } from "../../src/day/Receipts.ts"
import { DocumentNumber } from "../../src/document/Identifiers.ts"
import * as Money from "../../src/document/Money.ts"
import { documentOf, type Draw, grossOf, random, reportOf, type Sale, saleOf } from "./Sales.ts"

const requestOf = (sale: Sale) => {
  const account = sale.name.length % 2 === 0 ? ("main" as const) : ("shop" as const)
  const key = { account, kind: sale.kind, id: sale.name, number: DocumentNumber.make(sale.name) }
  return { ...key, of: [1, 1] as const, sentAt: null, ...documentOf(sale, account) }
}

const receipt = (sale: Sale, receiptNumber: number | null): SentDocument<DayReceipt> => ({
  ...requestOf(sale),
  by: receiptNumber === null ? "operator" : "proof",
  receiptNumber
})

const candidate = (sale: Sale, receipt: Candidate["receipt"]): SentDocument<Candidate> => ({
  ...requestOf(sale),
  state: receipt === "second" ? "Fiscalised" : "Unknown",
  receipt,
  statedDay: null
})

/** Two days, as the device has them and as the store has them. */
interface World {
  /** Sales in the counters of each day. */
  readonly counted: readonly [Array<Sale>, Array<Sale>]
  /** Receipts in the order of their numbers. `null`: a receipt that the store does not know. */
  readonly issued: readonly [Array<Sale | null>, Array<Sale | null>]
  /** Receipts without a number that an operator states, in each day. */
  readonly claimed: readonly [Array<Sale>, Array<Sale>]
  readonly second: Array<Sale>
  readonly only: Array<Sale>
}

const compare = (world: World, tills: "others" | null = null): ReadonlyArray<DayLeg.ComparedDay> => {
  const numbers = ReceiptNumbers.make()
  let next = 4801
  const add = (day: number, receiptNumber: number) =>
    numbers.add({ receiptNumber, day, account: "main", number: String(receiptNumber), sentAt: null })
  add(60, 4800)
  const proven = ([0, 1] as const).map((n) =>
    world.issued[n].flatMap((sale) => {
      const number = next++
      if (sale === null || world.claimed[n].includes(sale)) return []
      add(61 + n, number)
      return [receipt(sale, number)]
    })
  )
  add(63, next)
  const candidates = [
    ...world.second.map((sale) => candidate(sale, "second")),
    ...world.only.map((sale) => candidate(sale, "only"))
  ]
  const days = ([0, 1] as const).map((n): DayLeg.Day => {
    const claimed = world.claimed[n].map((sale) => receipt(sale, null))
    return {
      times: { day: 61 + n, after: null, until: DateTime.makeUnsafe(0), close: "closed" },
      report: reportOf(61 + n, world.counted[n]),
      receipts: [...proven[n]!, ...claimed],
      candidates,
      later: 0,
      missing: numbers.missingIn(61 + n, claimed.length),
      ranges: []
    }
  })
  const otherPrograms = tills && { stated: tills, since: DateTime.makeUnsafe(0) }
  return DayLeg.compare(days, { meant: () => null, first: null, otherPrograms })
}

/** Makes a world in which device and store agree: forty documents a day. */
const agreeing = (draw: Draw, amounts: "free" | "five prices"): World => {
  const make = (name: string) => saleOf(draw, name, amounts)
  const days = [0, 1].map((day) => Array.from({ length: 40 }, (_, n) => make(`${day}-${n}`)))
  const [first, next] = [days[0]!, days[1]!]
  return {
    counted: [[...first], [...next]],
    issued: [[...first], [...next]],
    claimed: [first.slice(10, 12), next.slice(10, 11)],
    second: [...first.slice(5, 9), ...next.slice(5, 7)],
    only: Array.from({ length: 5 }, (_, n) => make(`only-${n}`))
  }
}

/** Documents of the planted cause; none if the store cannot know the cause. */
type Planted = ReadonlyArray<Sale>

const remove = <A>(from: Array<A>, one: A) => from.splice(from.indexOf(one), 1)
const insert = (draw: Draw, into: Array<Sale | null>, one: Sale | null) => into.splice(draw(into.length), 0, one)
const pick = (draw: Draw, from: ReadonlyArray<Sale>): Sale => from[draw(from.length)]!

/** The device makes a receipt that the store does not know. */
const makes = ({ counted, issued }: World, draw: Draw, sale: Sale): Planted => {
  counted[0].push(sale)
  insert(draw, issued[0], null)
  return [sale]
}
/** The device does not have a receipt that an operator stated. */
const lacks = ({ claimed, counted, issued }: World, draw: Draw): Planted => {
  const sale = pick(draw, claimed[0])
  remove(counted[0], sale)
  remove(issued[0], sale)
  return [sale]
}
const replaces = ({ counted }: World, sale: Sale, by: Sale): Planted => {
  counted[0][counted[0].indexOf(sale)] = by
  return [sale]
}
/** The price of a till differs from every price of the store. */
const stranger = (draw: Draw): Sale => ({
  ...saleOf(draw, "stranger", "free"),
  groups: [{ tax: 515, gross: 100_003 + draw(999) * 7 }]
})
const swapped = (sale: Sale): Sale => {
  const [first, ...others] = sale.groups
  return { ...sale, groups: [{ ...first!, tax: first!.tax === 515 ? 2 : 515 }, ...others] }
}
const dearer = (sale: Sale, cents: number): Sale => ({
  ...sale,
  groups: sale.groups.map((group, n) => (n === 0 ? { ...group, gross: group.gross + cents } : group))
})
const single = (sales: ReadonlyArray<Sale>) => sales.filter(({ groups }) => groups.length === 1)
const ofKind = (sales: ReadonlyArray<Sale>, kind: Sale["kind"]) => sales.find((sale) => sale.kind === kind) ?? sales[0]!

const kinds: Readonly<Record<string, (world: World, draw: Draw) => Planted | "unknown to the store">> = {
  "a second receipt": (world, draw) => makes(world, draw, pick(draw, world.second)),
  "a second receipt of a note": (world, draw) => makes(world, draw, ofKind(world.second, "credit-note")),
  "a receipt of a document that is not fiscalised here": (world, draw) => makes(world, draw, pick(draw, world.only)),
  "a receipt of a note that is not fiscalised here": (world, draw) =>
    makes(world, draw, ofKind(world.only, "credit-note")),
  "a claimed receipt that does not exist": lacks,
  "a receipt counted in the next day": ({ counted, issued, claimed }, draw) => {
    const sale = pick(
      draw,
      issued[0].flatMap((one) => (one === null || claimed[0].includes(one) ? [] : [one]))
    )
    remove(counted[0], sale)
    counted[1].push(sale)
    return [sale]
  },
  "a receipt counted in the day before": ({ counted, issued, claimed }, draw) => {
    const sale = pick(
      draw,
      issued[1].flatMap((one) => (one === null || claimed[1].includes(one) ? [] : [one]))
    )
    remove(counted[1], sale)
    counted[0].push(sale)
    return [sale]
  },
  "another tax": (world, draw) => {
    const sale = pick(draw, single(world.counted[0]))
    return replaces(world, sale, swapped(sale))
  },
  "another tax of a note": (world) => {
    const sale = ofKind(single(world.counted[0]), "credit-note")
    return replaces(world, sale, swapped(sale))
  },
  "another payment": (world, draw) => {
    const sale = pick(
      draw,
      world.counted[0].filter(({ currency }) => currency === "USD")
    )
    return replaces(world, sale, { ...sale, payment: sale.payment === "Cash" ? "Card" : "Cash" })
  },
  "two second receipts": (world, draw) => [
    ...makes(world, draw, world.second[0]!),
    ...makes(world, draw, world.second[1]!)
  ],
  "a second receipt and one of a document that is not fiscalised here": (world, draw) => [
    ...makes(world, draw, world.second[2]!),
    ...makes(world, draw, world.only[1]!)
  ],
  "a second receipt and a claimed one that does not exist": (world, draw) => [
    ...makes(world, draw, world.second[3]!),
    ...lacks(world, draw)
  ],
  "a receipt of another till": (world, draw) => (makes(world, draw, stranger(draw)), "unknown to the store"),
  "two receipts of another till": (world, draw) => {
    for (const sale of [stranger(draw), stranger(draw)]) makes(world, draw, sale)
    return "unknown to the store"
  },
  "a second receipt and one of another till": (world, draw) => {
    const [second] = world.second
    for (const sale of [{ ...stranger(draw), currency: second!.currency }, second!]) makes(world, draw, sale)
    return "unknown to the store"
  },
  "a receipt that the counters lack": ({ claimed, counted }, draw) => {
    remove(
      counted[0],
      pick(
        draw,
        counted[0].filter((sale) => !claimed[0].includes(sale))
      )
    )
    return "unknown to the store"
  },
  "a receipt that the counters lack, before a receipt of another till": (world, draw) => {
    const { claimed, counted, issued } = world
    remove(
      counted[0],
      pick(
        draw,
        counted[0].filter((sale) => !claimed[0].includes(sale))
      )
    )
    counted[1].push(stranger(draw))
    insert(draw, issued[1], null)
    return "unknown to the store"
  },
  "a second receipt without a missing number": (world, draw) => {
    world.counted[0].push(pick(draw, world.second))
    return "unknown to the store"
  },
  "a cent more": (world, draw) => {
    const sale = pick(draw, world.counted[0])
    replaces(world, sale, dearer(sale, 1))
    return "unknown to the store"
  },
  "a dollar more": (world, draw) => {
    const sale = pick(draw, world.counted[0])
    replaces(world, sale, dearer(sale, 100))
    return "unknown to the store"
  },
  "another currency": (world, draw) => {
    const sale = pick(
      draw,
      world.counted[0].filter((sale) => sale.currency === "USD" && !world.claimed[0].includes(sale))
    )
    replaces(world, sale, { ...sale, currency: "ZAR" })
    return "unknown to the store"
  }
}

/** Balances of the device less those of the store, in cents by day and currency. */
const balancesOf = (days: ReadonlyArray<DayLeg.ComparedDay>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const { comparison, day } of days)
    for (const { counter, currency, device, store } of comparison!.rows) {
      if (counter !== "Balance") continue
      const more = BigDecimal.subtract(device ?? Money.zero, store ?? Money.zero)
      const key = `${day} ${currency}`
      found.set(key, (found.get(key) ?? 0) + Math.round(Number(Money.formatAmount(more)) * 100))
    }
  return found
}

const signed = (sale: Sale) => (sale.kind === "invoice" ? grossOf(sale) : -grossOf(sale))
const trueBalances = ({ claimed, counted, issued }: World): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const n of [0, 1] as const) {
    const store = new Set([...issued[n].flatMap((sale) => sale ?? []), ...claimed[n]])
    for (const [sales, sign] of [
      [counted[n], 1],
      [[...store], -1]
    ] as const)
      for (const sale of sales) {
        const key = `${61 + n} ${sale.currency}`
        found.set(key, (found.get(key) ?? 0) + sign * signed(sale))
      }
  }
  return found
}

const perKind = Number(process.env["PLANTED"] ?? 6)

describe("a planted difference between a device and a store", () => {
  for (const amounts of ["free", "five prices"] as const)
    for (const [kind, plant] of Object.entries(kinds))
      it(`of ${amounts} amounts is found to the cent: ${kind}`, () => {
        for (let n = 0; n < perKind; n++) {
          const draw = random(n * 31 + kind.length)
          const world = agreeing(draw, amounts)
          const planted = plant(world, draw)
          const days = compare(world)
          // what is more and what is less may be equal, and then no counter shows it
          if (
            trueBalances(world)
              .values()
              .every((cents) => cents === 0) &&
            kind.includes(" and ")
          )
            continue
          assert.strictEqual(days[0]!.standing, "differs")
          const expected = trueBalances(world)
          for (const [key, cents] of balancesOf(days)) assert.strictEqual(cents, expected.get(key) ?? 0, key)
          const differences = days.flatMap(({ differences }) => differences)
          const named = differences.flatMap(({ suspects }) => suspects.map(({ number }) => number))
          const names = planted === "unknown to the store" ? [] : planted.map(({ name }) => name)
          for (const name of names) assert.include(named, name)
          for (const { grade, suspects } of differences) {
            if (names.length === 0 && amounts === "free") assert.strictEqual(grade, "unexplained")
            if (names.length > 0) assert.notStrictEqual(grade, "unexplained")
            if (grade !== "fits") continue
            assert.deepStrictEqual(
              suspects.map(({ number }) => number as string),
              names
            )
          }
        }
      })

  it("is not found where device and store agree", () => {
    for (const amounts of ["free", "five prices"] as const)
      for (let n = 0; n < perKind * 10; n++)
        for (const { differences, standing } of compare(agreeing(random(n), amounts)))
          assert.deepStrictEqual({ differences, standing }, { differences: [], standing: "agrees" })
  })

  it("is named alone if nothing else has its figures, and never if several documents have", () => {
    const graded = (amounts: "free" | "five prices") => {
      const draw = random(7)
      const world = agreeing(draw, amounts)
      if (amounts === "five prices") world.second.push({ ...world.second[0]!, name: "twin" })
      makes(world, draw, world.second[0]!)
      return compare(world)[0]!.differences[0]!
    }
    assert.strictEqual(graded("free").grade, "fits")
    assert.strictEqual(
      DayLeg.wordsOf(graded("free")),
      "The difference has exactly the figures of 0-5 (a second receipt of it); look it up"
    )
    assert.strictEqual(graded("five prices").grade, "possible")
  })

  it("is proven if the gateway stated a receipt of the day beside a failure", () => {
    const draw = random(7)
    const world = agreeing(draw, "free")
    makes(world, draw, world.only[0]!)
    const stated = { ...candidate(world.only[0]!, "only"), statedDay: 61 }
    const [day] = [reportOf(61, world.counted[0])]
    const receipts = world.issued[0].flatMap((sale, n) => (sale === null ? [] : [receipt(sale, n + 1)]))
    const [compared] = DayLeg.compare(
      [
        {
          times: { day: 61, after: null, until: DateTime.makeUnsafe(0), close: "closed" },
          report: day!,
          receipts,
          candidates: [stated],
          later: 0,
          missing: ReceiptNumbers.notKnown,
          ranges: []
        }
      ],
      { meant: () => null, first: null, otherPrograms: null }
    )
    assert.deepStrictEqual(
      compared!.differences.map(({ grade, suspects }) => [grade, suspects.map(({ number }) => number as string)]),
      [["proven", ["only-0"]]]
    )
  })
})

describe("a device that other programs use, as an operator has declared", () => {
  const centsOf = (sum: Money.Money) => Math.round(Number(Money.formatAmount(sum)) * 100)

  it("has receipts of theirs with their sum, and names the documents that would look like them", () => {
    for (let n = 0; n < perKind; n++) {
      const draw = random(n)
      const world = agreeing(draw, "free")
      const tills = [stranger(draw), stranger(draw)].map((sale) => ({
        ...sale,
        kind: "invoice" as const,
        currency: "USD"
      }))
      for (const sale of tills) makes(world, draw, sale)
      const [day] = compare(world, "others")
      assert.strictEqual(day!.standing, "agrees")
      assert.deepStrictEqual(
        day!.others.map(({ currency, sum }) => [currency, centsOf(sum)]),
        [["USD", tills.reduce((sum, sale) => sum + grossOf(sale), 0)]]
      )
      const names = [...world.claimed[0], ...world.second, ...world.only].map(({ name }) => name)
      assert.deepStrictEqual(
        day!.indistinct.map(({ number }) => number as string),
        names
      )
      assert.include(DayLeg.extentOf(day!), "Not compared, because a receipt would look like one of theirs: ")
      const left = (acknowledged: ReadonlyMap<string | null, string>) => {
        const asked = { asked: 0, answered: 0, text: null }
        const counted = { claimed: [], proven: 1, inOpenDay: 0 }
        return AccountLegs.legs(counted, asked, [day!], [], null, { lane: "test/1001" }, acknowledged)[1]!.notPossible
      }
      const [open] = left(new Map())
      assert.include(open!.because, names[0]!)
      assert.deepStrictEqual(
        left(new Map([[open!.id!, "Ada"]])).map(({ is }) => is),
        ["examined"]
      )
    }
  })

  it("differs all the same if a receipt of the store is missing", () => {
    for (let n = 0; n < perKind * 5; n++) {
      const draw = random(n)
      const world = agreeing(draw, "free")
      makes(world, draw, { ...stranger(draw), kind: "invoice", currency: "USD" })
      const isLacking = ({ currency, kind }: Sale) => kind === "invoice" && currency === "ZAR"
      const missing = world.counted[0].find((sale) => isLacking(sale) && !world.claimed[0].includes(sale))
      if (missing === undefined) continue
      remove(world.counted[0], missing)
      assert.strictEqual(compare(world, "others")[0]!.standing, "differs")
    }
  })

  it("never hides a claimed receipt that does not exist", () => {
    for (let n = 0; n < perKind * 20; n++) {
      const draw = random(n)
      const world = agreeing(draw, n % 2 === 0 ? "free" : "five prices")
      for (let till = draw(4); till > 0; till--) makes(world, draw, stranger(draw))
      const [lost] = lacks(world, draw) as ReadonlyArray<Sale>
      const [day] = compare(world, "others")
      const named = [...day!.indistinct, ...day!.differences.flatMap(({ suspects }) => suspects)]
      assert.include(
        named.map(({ number }) => number as string),
        lost!.name
      )
    }
  })
})

describe("receipt numbers that no proof has", () => {
  const at = (time: string) => DateTime.makeUnsafe(`2026-03-02T${time}:00Z`)
  const numbersOf = (...proofs: ReadonlyArray<readonly [day: number, receiptNumber: number, time: string]>) => {
    const numbers = ReceiptNumbers.make()
    for (const [day, receiptNumber, time] of proofs)
      numbers.add({ receiptNumber, day, account: "main", number: `INV-${receiptNumber}`, sentAt: at(time) })
    return numbers
  }

  it("are listed in ranges with their neighbors, and awaited if a request between them is open", () => {
    const numbers = numbersOf([7, 4801, "14:02"], [7, 4804, "14:05"], [7, 4805, "14:06"], [8, 4807, "18:00"])
    numbers.addOpen(at("14:03"))
    assert.deepStrictEqual(ReceiptNumbers.listed(numbers.rangesIn(7, 7)).split(/(?<=[.]) (?=Receipt)/), [
      "Receipt numbers 4 802 to 4 803 are missing between INV-4801 (4 801, 2026-03-02T14:02 UTC) and INV-4804 (4 804, 2026-03-02T14:05 UTC). Awaited: 1 of them, by requests or receipts without a number.",
      "Receipt number 4 806 is missing between INV-4805 (4 805, 2026-03-02T14:06 UTC) and INV-4807 (4 807, 2026-03-02T18:00 UTC)."
    ])
    assert.deepStrictEqual(
      numbers.rangesIn(8, 9).map(({ from, to, unbroken }) => [from, to, unbroken]),
      [[4806, 4806, 2]]
    )
  })

  it("begin with 1 on each day if the proofs show that numbers begin again", () => {
    const numbers = numbersOf([7, 1, "10:00"], [7, 3, "10:02"], [8, 2, "11:00"])
    assert.deepStrictEqual(
      numbers.rangesIn(7, 8).map(({ after, from, to }) => [after.day, from, to]),
      [
        [7, 2, 2],
        [8, 1, 1]
      ]
    )
    assert.deepStrictEqual(numbers.missingIn(8, 0), { least: 1, most: Number.POSITIVE_INFINITY, unnumbered: 0 })
  })

  it("are the same in whatever order the proofs are read, with a number that two proofs have", () => {
    for (let n = 1; n <= 200; n++) {
      const draw = random(n)
      const present = new Set(Array.from({ length: 60 }, () => 1 + draw(70)))
      const shuffled = [...present, ...present].toSorted(() => draw(3) - 1)
      const numbers = numbersOf(...shuffled.map((number) => [number <= 35 ? 7 : 8, number, "10:00"] as const))
      const missing = (from: number, to: number) =>
        Array.from({ length: to - from + 1 }, (_, n) => from + n).filter((number) => !present.has(number))
      assert.deepStrictEqual(
        numbers.rangesIn(7, 8).flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n)),
        missing(Math.min(...present), Math.max(...present))
      )
      const ofDay = [...present].filter((number) => number <= 35)
      assert.strictEqual(numbers.missingIn(7, 0).least, missing(Math.min(...ofDay), Math.max(...ofDay)).length)
    }
  })

  it("take no memory for numbers without a gap", () => {
    setFlagsFromString("--expose-gc")
    const collected = runInNewContext("gc") as () => void
    const heap = () => {
      collected()
      return process.memoryUsage().heapUsed
    }
    const numbers = ReceiptNumbers.make()
    const before = heap()
    for (let receiptNumber = 1; receiptNumber <= 200_000; receiptNumber++)
      numbers.add({ receiptNumber, day: 7, account: "main", number: `INV-${receiptNumber}`, sentAt: null })
    assert.isBelow(heap() - before, 4 * 1024 * 1024)
    assert.deepStrictEqual(numbers.rangesIn(7, 7), [])
  })
})

describe("a missing receipt number", () => {
  const proof = (day: number, receiptNumber: number): ReceiptNumbers.NumberedReceipt => ({
    receiptNumber,
    day,
    account: "main",
    number: `D-${receiptNumber}`,
    sentAt: null
  })
  /** Two proofs a day with a missing number between them. */
  const numbered = (days: number) => {
    const numbers = ReceiptNumbers.make()
    for (let day = 61; day < 61 + days; day++) {
      const first = (day - 61) * 3 + 1
      for (const number of [first, first + 2]) numbers.add(proof(day, number))
    }
    return numbers.rangesIn(61, 99)
  }
  const left = (ranges: ReturnType<typeof numbered>, agreeing: ReadonlyArray<number>) =>
    ReceiptNumbers.unexplained(ranges, (day) => (agreeing.includes(day) ? "agrees" : "not-compared")).map(
      ({ from }) => from
    )

  it("ends with the counters of its day, and shows a device that skips numbers only after three such days", () => {
    const ranges = numbered(5)
    assert.deepStrictEqual(left(ranges, []), [2, 5, 8, 11, 14])
    assert.deepStrictEqual(left(ranges, [61]), [5, 8, 11, 14])
    assert.deepStrictEqual(left(ranges, [61, 62]), [8, 11, 14])
    assert.deepStrictEqual(left(ranges, [61, 62, 63]), [])
  })

  it("may be of a day between two compared days, of which the store has no receipt", () => {
    const numbers = ReceiptNumbers.make()
    for (const [day, number] of [
      [61, 1],
      [63, 3]
    ] as const)
      numbers.add(proof(day, number))
    assert.deepStrictEqual(left(numbers.rangesIn(61, 63), [61, 63]), [2])
  })
})
