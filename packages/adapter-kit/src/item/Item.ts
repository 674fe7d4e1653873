/**
 * Typed access to the cells of one record. An unreadable cell becomes a finding of the document, at
 * the cell's place.
 */
import {
  CivilDate,
  Finding,
  type FindingCode,
  type Instant,
  Money,
  type Provenance
} from "@fiscal-connector/core/adapter"
import { BigDecimal, Result } from "effect"
import { decimalOf, longestNumber } from "../json/DecimalText.ts"
import { JsonNumber } from "../json/Json.ts"
import { KitFinding } from "../KitFinding.ts"
import { type Cell, cellAt, Foreign, isList, isMembers, type CellMembers, RowValues, tokensOf } from "./Cell.ts"
import { type DateForm, dateOf, type InstantForm, instantOf, ofDate } from "./DateText.ts"
import { digitsOf } from "./MinorUnits.ts"
import type { FieldRecord } from "./FieldRecord.ts"
import type { Origin } from "./Origin.ts"
import { currencies, noValue, ReadLog, unread } from "./ReadLog.ts"
import { touch } from "./UnreadFields.ts"

/** An amount with the currency stated next to it. */
export interface MoneyOf {
  readonly amount: Money.Money
  readonly currency: string
}

/** Terms of a stated figure; an absent term counts as zero. */
export interface Arithmetic {
  readonly sum: ReadonlyArray<Money.Money | undefined>
  readonly less?: ReadonlyArray<Money.Money | undefined>
  readonly within?: Money.Money
}

export interface ReadingLog {
  log: ReadLog
  /**
   * Values that count as empty, in addition to null and blank text: `false` for a system that
   * writes `false`.
   */
  readonly none: ReadonlyArray<unknown>
  readonly fields: FieldRecord
}

/**
 * Readers of cells that may be empty. Return `undefined` for an empty cell. A cell with an
 * unreadable value is still a finding.
 */
export interface Optional {
  text(key: string): string | undefined
  decimal(key: string): Money.Money | undefined
  minor(key: string, unit: number | string): Money.Money | undefined
  money(key: string, names?: { readonly amount: string; readonly currency: string }): MoneyOf | undefined
  date(key: string, form?: DateForm): CivilDate.CivilDate | undefined
  instant(key: string, form?: InstantForm): Instant.Instant | undefined
  choice<const Value>(key: string, values: { readonly [spelling: string]: Value }): Value | undefined
  item(key: string): Item | undefined
  each<Made>(key: string, make: (item: Item, index: number) => Made): Array<Made>
}

type FieldPresence = "required" | "optional"

const emptyRow = new RowValues([], [])

export class Item {
  readonly origin: Origin
  /** Path from the record's root to this object. */
  readonly tokens: ReadonlyArray<string>
  /** Name of the list that contains the item: `Invoice` for `/QueryResponse/Invoice/3`. */
  readonly list: string
  readonly members: CellMembers
  private readonly reading: ReadingLog
  readonly fields: FieldRecord
  /** The missing object has been reported once. */
  private readonly presence: "there" | "absent"
  private emptyAllowed: Optional | undefined

  constructor(
    origin: Origin,
    tokens: ReadonlyArray<string>,
    list: string,
    members: CellMembers | undefined,
    reading: ReadingLog
  ) {
    this.origin = origin
    this.tokens = tokens
    this.list = list
    this.members = members ?? emptyRow
    this.reading = reading
    this.fields = reading.fields.at(list).below(tokens)
    this.presence = members === undefined ? "absent" : "there"
  }

  /**
   * Returns a text, or the digits of a number, without surrounding white space. `key` is a member's
   * name, or a JSON pointer from here: `/buyer/name`.
   */
  text(key: string): string {
    return this.textOf(key, "required") ?? ""
  }

  /**
   * Returns an exact decimal number, from the digits of a JSON number or from a text like
   * `1234.50`.
   */
  decimal(key: string): Money.Money {
    return this.figureOf(key, "required", decimalOf) ?? this.instead()
  }

  /**
   * Returns an amount from a whole number of the currency's smallest unit, as payment systems write
   * amounts: `minor("amount", "USD")` of 1999 is 19.99, and `minor("amount", "JPY")` is 1999.
   *
   * `unit` is the currency's ISO 4217 code, or the number of digits if the system has another
   * convention.
   */
  minor(key: string, unit: number | string): Money.Money {
    return this.minorOf(key, "required", unit) ?? this.instead()
  }

  /**
   * Returns an amount with its currency, from an object of both
   * (`{"amount": "12.00", "currency": "USD"}`, or with other `names`) or from one text
   * (`USD 12.00`). A document with figures in two currencies is refused.
   */
  money(key: string, names?: { readonly amount: string; readonly currency: string }): MoneyOf {
    return this.moneyOf(key, "required", names) ?? { amount: this.instead(), currency: "" }
  }

  /**
   * Returns a calendar day. Refuses a point in time unless `form` names the zone of the business.
   */
  date(key: string, form?: DateForm): CivilDate.CivilDate {
    return this.dayOf(key, "required", form) ?? ("" as CivilDate.CivilDate)
  }

  /**
   * Returns a point in time with its offset. Refuses a local time unless `form` names its zone.
   * `undefined` only if the cell is unreadable.
   */
  instant(key: string, form?: InstantForm): Instant.Instant | undefined {
    return this.timeOf(key, "required", form)
  }

  /**
   * Returns the meaning of the cell's text from the known spellings. Any other text refuses the
   * document; there is no guess.
   */
  choice<const Value>(key: string, values: { readonly [spelling: string]: Value }): Value | undefined {
    return this.choiceOf(key, "required", values)
  }

  /**
   * Returns true for JSON's `true`, `"true"` or 1, and false for an empty cell. Any value without
   * such a meaning refuses the document.
   */
  flag(key: string): boolean {
    const cell = this.cell(key)
    const value = cell instanceof JsonNumber ? cell.text : typeof cell === "string" ? cell.trim().toLowerCase() : cell
    const is = value === true || value === "true" || value === "1"
    const isNot = value === undefined || value === false || value === "false" || value === "0"
    return is || isNot
      ? this.read(key, is)
      : this.missed(key, KitFinding.EXPORT_VALUE_FORM, `${key} is neither true nor false`, false)
  }

  /**
   * Returns the object in the cell. If the cell has no object, the document is refused, and later
   * reads of the object report nothing.
   */
  item(key: string): Item {
    return this.itemOf(key, "required") ?? new Item(this.origin, this.below(key), this.list, undefined, this.reading)
  }

  /**
   * Returns the result of `make` for each object in a list. A missing list refuses the document; an
   * empty list does not.
   */
  each<Made>(key: string, make: (item: Item, index: number) => Made): Array<Made> {
    return this.eachOf(key, "required", make)
  }

  /** The same readers for cells that may be empty. */
  get optional(): Optional {
    return (this.emptyAllowed ??= {
      text: (key) => this.textOf(key, "optional"),
      decimal: (key) => this.figureOf(key, "optional", decimalOf),
      minor: (key, unit) => this.minorOf(key, "optional", unit),
      money: (key, names) => this.moneyOf(key, "optional", names),
      date: (key, form) => this.dayOf(key, "optional", form),
      instant: (key, form) => this.timeOf(key, "optional", form),
      choice: (key, values) => this.choiceOf(key, "optional", values),
      item: (key) => this.itemOf(key, "optional"),
      each: (key, make) => this.eachOf(key, "optional", make)
    })
  }

  /**
   * Returns a day that is only compared and never sent, such as the due date. An unreadable day is
   * undefined, without a finding.
   */
  compared(key: string, form?: DateForm): CivilDate.CivilDate | undefined {
    return this.read(key, this.quietly().optional.date(key, form))
  }

  /** True if the cell has a value: not null, not blank. */
  has(key: string): boolean {
    return this.cell(key) !== undefined
  }

  get keys(): ReadonlyArray<string> {
    return this.members.keys
  }

  /** Returns the place of a cell, even of a missing cell; without a key the place of the item. */
  at(key?: string): Provenance.Provenance {
    return this.origin.place(key === undefined ? this.tokens : this.below(key))
  }

  /**
   * Refuses the document because of this cell. `message` states the problem, and `fix` tells the
   * operator what to do.
   */
  refuse(key: string, message: string, fix?: string): void {
    this.note(key, KitFinding.EXPORT_VALUE_REFUSED, { message, ...(fix !== undefined && { fix }) }, noValue)
  }

  /**
   * Compares the figure at `key`, if stated, with the system's own arithmetic. A difference larger
   * than `within` (default: zero) refuses the document and reports the arithmetic. Skips the
   * comparison if a term was unreadable, because the term already has a finding.
   */
  hold(key: string, { less = [], sum, within = Money.zero }: Arithmetic): void {
    const stated = this.quietly().optional.decimal(key)
    const added = sum.filter((term) => term !== undefined)
    const taken = less.filter((term) => term !== undefined)
    if (stated === undefined || [...added, ...taken].some((term) => unread.has(term))) return
    const due = BigDecimal.subtract(BigDecimal.sumAll(added), BigDecimal.sumAll(taken))
    if (BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(BigDecimal.subtract(stated, due)), within)) return
    const terms = added.length + taken.length
    const minus = taken.map((term) => ` - ${Money.formatPlain(term)}`).join("")
    const how = terms > 8 ? `${terms} figures` : `${added.map(Money.formatPlain).join(" + ") || "0"}${minus}`
    const message = `${key} is not what the document adds up to`
    const detail = `${how} = ${Money.formatPlain(due)}, stated ${Money.formatPlain(stated)}`
    this.note(key, KitFinding.EXPORT_FIGURES_DIFFER, { message, detail }, noValue)
  }

  /** Adds a warning at this cell; the document is still sent. */
  warn(key: string, message: string, fix?: string): void {
    this.note(key, KitFinding.EXPORT_VALUE_DOUBTFUL, { message, ...(fix !== undefined && { fix }) }, noValue)
  }

  /** Adds a finding from the adapter's own catalogue, at this cell. */
  finding(
    key: string,
    code: FindingCode.FindingCode,
    particulars: Pick<Finding.Particulars, "message" | "detail" | "fix" | "answers"> = {}
  ): void {
    this.note(key, code, particulars, noValue)
  }

  /** Returns the same item with its reads recorded in another log. */
  quietly(log = new ReadLog()): Item {
    return new Item(this.origin, this.tokens, this.list, this.members, { ...this.reading, log })
  }

  private below(key: string): ReadonlyArray<string> {
    return [...this.tokens, ...tokensOf(key)]
  }

  /** Returns the cell's value. Null, blank text and values that count as empty are undefined. */
  private cell(key: string): Cell | undefined {
    const tokens = tokensOf(key)
    touch(this.members, tokens[0])
    this.fields.below(tokens).mark("read")
    for (let i = 1; i < tokens.length; i++) {
      const inner = cellAt(this.members, tokens.slice(0, i))
      if (isMembers(inner)) touch(inner, tokens[i])
    }
    const cell = cellAt(this.members, tokens) ?? undefined
    if (typeof cell === "string" && cell.trim() === "") return undefined
    return this.reading.none.includes(cell) ? undefined : cell
  }

  private read<Value>(key: string, value: Value): Value {
    this.reading.log.add({ item: this, tokens: tokensOf(key), value })
    return value
  }

  private note(key: string, code: FindingCode.FindingCode, particulars: Finding.Particulars, value: unknown): void {
    if (this.presence === "absent") return
    const finding = Finding.make(code, { ...particulars, at: this.at(key) })
    this.reading.log.add({ item: this, tokens: tokensOf(key), value, finding })
  }

  /** Reports that the cell is unreadable; the adapter receives `value` in its place. */
  private missed<Value>(
    key: string,
    code: FindingCode.FindingCode,
    message: string,
    value: Value,
    detail?: string
  ): Value {
    this.note(key, code, { message, ...(detail !== undefined && { detail: detail.slice(0, longestNumber) }) }, value)
    return value
  }

  private missing(key: string, presence: FieldPresence, instead: "" | undefined): undefined {
    if (presence === "optional") this.read(key, undefined)
    else this.missed(key, KitFinding.EXPORT_VALUE_MISSING, `${key} is missing`, instead)
    return undefined
  }

  /** Returns a placeholder for an unreadable figure. A document with a placeholder is refused. */
  private instead(): Money.Money {
    const figure = BigDecimal.make(Money.zero.value, Money.zero.scale)
    unread.add(figure)
    const last = this.reading.log.reads.at(-1)
    if (last?.finding !== undefined && last.item.origin === this.origin) last.value = figure
    return figure
  }

  private plainText(key: string, presence: FieldPresence, instead: "" | undefined): string | undefined {
    const cell = this.cell(key)
    if (cell === undefined) return this.missing(key, presence, instead)
    if (typeof cell === "string") return cell.trim()
    if (cell instanceof JsonNumber) return cell.text
    return this.missed(key, KitFinding.EXPORT_VALUE_FORM, `${key} is neither text nor number`, undefined)
  }

  private textOf(key: string, presence: FieldPresence): string | undefined {
    const text = this.plainText(key, presence, presence === "required" ? "" : undefined)
    return text === undefined ? undefined : this.read(key, text)
  }

  private figureOf(
    key: string,
    presence: FieldPresence,
    parse: (text: string) => Money.Money | undefined
  ): Money.Money | undefined {
    const cell = this.cell(key)
    if (cell instanceof Foreign) {
      return typeof cell.value === "number"
        ? this.missed(
            key,
            KitFinding.EXPORT_NUMBER_INEXACT,
            `${key} came as a floating-point number`,
            undefined,
            String(cell.value)
          )
        : this.missed(key, KitFinding.EXPORT_NUMBER_FORM, `${key} is a date, no decimal number`, undefined)
    }
    const text = this.plainText(key, presence, undefined)
    if (text === undefined) return undefined
    const figure = parse(text)
    if (figure === undefined)
      return this.missed(key, KitFinding.EXPORT_NUMBER_FORM, `${key} is not a decimal number`, undefined, text)
    // a new object, so that tracing can recognize the figure by identity
    return this.read(key, BigDecimal.make(figure.value, figure.scale))
  }

  private minorOf(key: string, presence: FieldPresence, unit: number | string): Money.Money | undefined {
    const digits = typeof unit === "number" ? unit : digitsOf(unit)
    if (digits !== undefined) return this.figureOf(key, presence, inUnits(digits))
    if (presence === "optional" && !this.has(key)) return this.missing(key, presence, undefined)
    const message = `${key} is in units of a currency that ISO 4217 does not have`
    return this.missed(key, KitFinding.EXPORT_NUMBER_FORM, message, undefined, String(unit))
  }

  private moneyOf(
    key: string,
    presence: FieldPresence,
    names?: { readonly amount: string; readonly currency: string }
  ): MoneyOf | undefined {
    const cell = this.cell(key)
    if (isMembers(cell)) {
      const inner = new Item(this.origin, this.below(key), this.list, cell, this.reading)
      return inner.pair(names ?? namesIn(cell), presence)
    }
    const text = this.plainText(key, presence, undefined)
    if (text === undefined) return undefined
    const [, before, figure, after] = /^([A-Za-z]{3})?\s*([-+]?[\d.]+)\s*([A-Za-z]{3})?$/.exec(text) ?? []
    const amount = decimalOf(figure)
    if (amount === undefined || (before === undefined) === (after === undefined))
      return this.missed(
        key,
        KitFinding.EXPORT_NUMBER_FORM,
        `${key} is not an amount with its currency`,
        undefined,
        text
      )
    const own = this.read(key, BigDecimal.make(amount.value, amount.scale))
    const currency = this.read(key, (before ?? after)!)
    currencies.set(own, { currency, item: this, tokens: tokensOf(key) })
    return { amount: own, currency }
  }

  private pair(
    names: { readonly amount: string; readonly currency: string },
    presence: FieldPresence
  ): MoneyOf | undefined {
    const amount = this.figureOf(names.amount, presence, decimalOf)
    const currency = this.textOf(names.currency, amount === undefined ? "optional" : "required")
    if (amount === undefined || currency === undefined) return undefined
    currencies.set(amount, { currency, item: this, tokens: tokensOf(names.currency) })
    return { amount, currency }
  }

  private dayOf(key: string, presence: FieldPresence, form: DateForm = {}): CivilDate.CivilDate | undefined {
    const cell = this.cell(key)
    if (cell instanceof Foreign && cell.value instanceof Date) {
      const instant = form.zone === undefined ? undefined : ofDate(cell.value, form.zone)
      return instant === undefined
        ? this.missed(key, KitFinding.EXPORT_DATE_TIME_OF_DAY, `${key} is a point in time and no day`, undefined)
        : this.read(key, CivilDate.of(instant))
    }
    const text = this.plainText(key, presence, "")
    if (text === undefined) return undefined
    const day = dateOf(text, form)
    if (Result.isSuccess(day)) return this.read(key, day.success)
    return day.failure === "form"
      ? this.missed(key, KitFinding.EXPORT_DATE_FORM, `${key} is not a date`, undefined, text)
      : this.missed(key, KitFinding.EXPORT_DATE_TIME_OF_DAY, `${key} is a point in time and no day`, undefined, text)
  }

  private timeOf(key: string, presence: FieldPresence, form: InstantForm = {}): Instant.Instant | undefined {
    const cell = this.cell(key)
    if (cell instanceof Foreign && cell.value instanceof Date) {
      const instant = ofDate(cell.value, form.zone)
      if (instant !== undefined) return this.read(key, instant)
    }
    const text = this.plainText(key, presence, undefined)
    if (text === undefined) return undefined
    const instant = instantOf(text, form)
    return instant === undefined
      ? this.missed(key, KitFinding.EXPORT_INSTANT_FORM, `${key} is not a point in time`, undefined, text)
      : this.read(key, instant)
  }

  private choiceOf<Value>(
    key: string,
    presence: FieldPresence,
    values: { readonly [spelling: string]: Value }
  ): Value | undefined {
    const cell = this.cell(key)
    const text = typeof cell === "boolean" ? String(cell) : this.plainText(key, presence, undefined)
    if (text === undefined) return undefined
    if (Object.hasOwn(values, text)) return this.read(key, values[text]!)
    const known = Object.keys(values).slice(0, 12).join(", ")
    const message = `${key} is not one of ${known}`
    return this.missed(key, KitFinding.EXPORT_VALUE_UNKNOWN, message, undefined, text)
  }

  private itemOf(key: string, presence: FieldPresence): Item | undefined {
    const cell = this.cell(key)
    if (cell === undefined) return this.missing(key, presence, undefined)
    if (!isMembers(cell)) return this.missed(key, KitFinding.EXPORT_VALUE_FORM, `${key} is not an object`, undefined)
    return new Item(this.origin, this.below(key), this.list, cell, this.reading)
  }

  private eachOf<Made>(key: string, presence: FieldPresence, make: (item: Item, index: number) => Made): Array<Made> {
    const cell = this.cell(key)
    if (cell === undefined || !isList(cell)) {
      if (cell === undefined) this.missing(key, presence, undefined)
      else this.missed(key, KitFinding.EXPORT_VALUE_FORM, `${key} is not a list`, undefined)
      return []
    }
    const made = cell.flatMap((element, i) => {
      const tokens = [...this.below(key), String(i)]
      if (!isMembers(element)) {
        this.missed(
          `${key.startsWith("/") ? key : `/${key}`}/${i}`,
          KitFinding.EXPORT_VALUE_FORM,
          `${key} has an element that is not an object`,
          undefined
        )
        return []
      }
      return [this.round(new Item(this.origin, tokens, this.list, element, this.reading), i, make)]
    })
    return this.read(key, made)
  }

  private round<Made>(item: Item, index: number, make: (item: Item, index: number) => Made): Made {
    const outer = this.reading.log
    const log = new ReadLog()
    this.reading.log = log
    try {
      const made = make(item, index)
      // lists built inside the element may be placed next to it in the document
      for (const [inner, round] of log.rounds) outer.rounds.set(inner, round)
      if (made !== null && typeof made === "object") outer.rounds.set(made, { item, log })
      return made
    } finally {
      this.reading.log = outer
      // unreadable cells of the element refuse the document, wherever the result is used
      for (const read of log.reads) if (read.finding !== undefined) outer.add(read)
    }
  }
}

const inUnits =
  (digits: number) =>
  (text: string): Money.Money | undefined =>
    /^[-+]?\d{1,30}$/.test(text) ? BigDecimal.make(BigInt(text), digits) : undefined

const namesIn = ({ keys }: CellMembers) => ({
  amount: keys.find((key) => /^(amount|value)$/i.test(key)) ?? "amount",
  currency: keys.find((key) => /^(currency|currency_?code|code)$/i.test(key)) ?? "currency"
})
