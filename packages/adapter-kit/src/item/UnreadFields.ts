/**
 * Fields that an adapter did not read although the vocabulary knows their names. Core holds them
 * against the document.
 */
import { type Answer, type Money, type SourceDocument, StatedWords } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { decimalOf } from "../json/DecimalText.ts"
import { JsonNumber } from "../json/Json.ts"
import { type Cell, isList, isMembers, member, type CellMembers } from "./Cell.ts"
import type { FieldRecord } from "./FieldRecord.ts"
import type { TracedItem, ReadLog } from "./ReadLog.ts"

/** A record with its place and the texts of its cells, such as an `Item`. */
export interface TextRecord extends TracedItem {
  quietly(): { readonly optional: { text(key: string): string | undefined } }
}

/**
 * A value that only an operator can map and that no option of the adapter maps. A default of the
 * mapping book never replaces the value.
 */
export interface UnmappedFields {
  readonly subject: StatedWords.UnmappedSubject
  /** Record that states the value; `key` names the cell. */
  readonly item: TextRecord
  readonly key: string
  /** Text of the value. @default the text of the cell */
  readonly text?: string | undefined
  /** Index of the line that states the value; absent for a buyer number. */
  readonly line?: number
  /** Options of the adapter that map the value. */
  readonly answers?: ReadonlyArray<Answer.Answer>
}

const inside: { readonly [Subject in StatedWords.UnmappedSubject]: ReadonlySet<string> } = {
  "buyer-number": new Set(
    "customer|client|buyer|contact|partner|billing|bill to|billing address|recipient|debtor|payer|account holder"
      .split("|")
      .map(StatedWords.normalize)
  ),
  "buyer-name": new Set(),
  "item-code": new Set("item|product|article|variant|sku".split("|").map(StatedWords.normalize))
}

const numbersOfBuyers = new Set(
  "vat|tin|vat id|tax no|vat no|gst|pin|bpn|registration number".split("|").map(StatedWords.normalize)
)

const asked = new Map<string, boolean>()

const isKnown = (name: string): boolean => {
  const known = asked.get(name)
  if (known !== undefined) return known
  const isOne =
    StatedWords.subjectOf(name) !== undefined ||
    StatedWords.unmappedSubjectOf(name) !== undefined ||
    numbersOfBuyers.has(StatedWords.normalize(name))
  // the limit protects memory from an export that generates names
  if (asked.size < 2000) asked.set(name, isOne)
  return isOne
}

const touched = new WeakMap<CellMembers, Set<string>>()

export const touch = (members: CellMembers, name: string | undefined): void => {
  if (name === undefined || !isKnown(name)) return
  const names = touched.get(members)
  if (names === undefined) touched.set(members, new Set([name]))
  else names.add(name)
}

const isTouched = (members: CellMembers, name: string): boolean => touched.get(members)?.has(name) === true

export interface PlacedWord {
  readonly word: SourceDocument.SourceWord
  readonly item: TracedItem
  /** Path from the object to the cell. */
  readonly tokens: ReadonlyArray<string>
}

export interface PlacedAmount {
  readonly amount: SourceDocument.SourceAmount
  readonly item: TracedItem
}

interface Stating extends TracedItem {
  readonly members: CellMembers
  readonly fields: FieldRecord
}

/** Returns a cell as text; for a reference, its code or name: `[1, "Name"]`, `{"value": "USD"}`. */
const textOf = (cell: Cell | undefined): string | undefined => {
  if (typeof cell === "string") return cell.trim()
  if (typeof cell === "boolean") return String(cell)
  if (cell instanceof JsonNumber) return cell.text
  if (isList(cell)) return cell.length === 2 ? textOf(cell[1]) : undefined
  if (!isMembers(cell)) return undefined
  const [named] = ["code", "value", "name"].flatMap((name) => member(cell, name) ?? [])
  return isMembers(named) || isList(named) ? undefined : textOf(named)
}

class UnreadSearch {
  private readonly none: ReadonlyArray<unknown>
  private readonly distinct = new StatedWords.DistinctWords()

  constructor(none: ReadonlyArray<unknown>) {
    this.none = none
  }

  words(item: Stating, line: number | undefined): ReadonlyArray<PlacedWord> {
    return this.wordsWhere(item, line, (name, cell) => {
      const isSearched = line === undefined && typeof cell === "string" && !item.fields.reads(name)
      return StatedWords.subjectStated(name, line) ?? (isSearched ? StatedWords.subjectOfValue(cell.trim()) : undefined)
    })
  }

  unmapped(item: Stating, line: number | undefined): ReadonlyArray<PlacedWord> {
    const subject = line === undefined ? "buyer-number" : "item-code"
    const isNamed = (name: string) => StatedWords.unmappedSubjectOf(name) === subject
    const inner = item.members.keys.flatMap((name, i): ReadonlyArray<PlacedWord> => {
      const cell = item.members.values[i]
      if (!isMembers(cell) || !inside[subject].has(StatedWords.normalize(name))) return []
      const object = {
        origin: item.origin,
        tokens: [...item.tokens, name],
        members: cell,
        fields: item.fields.at(name)
      }
      return this.wordsWhere(object, line, (name) =>
        isNamed(name) || (line === undefined && numbersOfBuyers.has(StatedWords.normalize(name))) ? subject : undefined
      )
    })
    const own = (name: string) =>
      isNamed(name)
        ? subject
        : line === undefined && StatedWords.unmappedSubjectOf(name) === "buyer-name"
          ? "buyer-name"
          : undefined
    return [...this.wordsWhere(item, line, own), ...inner]
  }

  /** Returns a value that the adapter itself states as unmapped. */
  stated(
    { answers, item, key, line, subject, text }: UnmappedFields,
    name: string,
    tokens: ReadonlyArray<string>
  ): ReadonlyArray<PlacedWord> {
    const word = this.distinct.take(subject, name, text ?? item.quietly().optional.text(key), line)
    return word === undefined ? [] : [{ word: { ...word, ...(answers && { answers }) }, item, tokens }]
  }

  private wordsWhere(
    item: Stating,
    line: number | undefined,
    subjectOf: (name: string, cell: Cell | undefined) => SourceDocument.SourceWord["subject"] | undefined
  ): ReadonlyArray<PlacedWord> {
    const { keys, values } = item.members
    return keys.flatMap((name, i): ReadonlyArray<PlacedWord> => {
      const cell = values[i]
      const subject = subjectOf(name, cell)
      if (subject === undefined || isTouched(item.members, name)) return []
      const word = this.distinct.take(subject, name, this.none.includes(cell) ? undefined : textOf(cell), line)
      if (word === undefined) return []
      item.fields.at(name).mark("held")
      return [{ word, item, tokens: [name] }]
    })
  }
}

export interface BesideFields {
  readonly words: ReadonlyArray<PlacedWord>
  readonly amounts: ReadonlyArray<PlacedAmount>
}

export interface StatedRecords {
  /**
   * All records of the document. Only records of the first record's list are searched; joined
   * records state something else.
   */
  readonly items: ReadonlyArray<Stating & { readonly list: string }>
  readonly lines: ReadonlyArray<unknown>
  readonly log: ReadLog
  /** Values that the adapter states as unmapped; undefined if such values stay unread. */
  readonly unmapped: ReadonlyArray<UnmappedFields> | undefined
}

const leftUnread: Answer.Answer = { settings: { unmapped: "unread" } }

/**
 * Returns unread words and numbers of the records that state the document, and unread words of
 * lines inside the records.
 */
export const besideOf = (
  { items, lines, log, unmapped }: StatedRecords,
  none: ReadonlyArray<unknown>,
  isHarmless: (path: string) => boolean
): BesideFields => {
  const own = items.filter(({ list }) => list === items[0]!.list)
  const rounds = lines.flatMap((line, i) => {
    const item = log.rounds.get(line)?.item
    return item === undefined ? [] : [{ item, line: i }]
  })
  const unread = new UnreadSearch(none)
  const words = [
    ...own.flatMap((item) => unread.words(item, undefined)),
    ...rounds.flatMap(({ item, line }) => unread.words(item, line))
  ]
  const open =
    unmapped === undefined
      ? []
      : [
          ...unmapped.flatMap((stated) => unread.stated(stated, ...namedIn(stated.key))),
          ...own.flatMap((item) => unread.unmapped(item, undefined)),
          ...rounds.flatMap(({ item, line }) => unread.unmapped(item, line))
        ]
  return {
    words: [
      ...words,
      ...open.map(({ word, ...at }): PlacedWord => ({
        ...at,
        word: { ...word, answers: [...(word.answers ?? []), leftUnread] }
      }))
    ],
    amounts: [
      ...own.flatMap((one) =>
        numbersIn(one, one.list, none, isHarmless).map(({ item, name, value }) => ({
          amount: { name, values: [value] },
          item
        }))
      ),
      ...amountsOfLines(
        rounds.map(({ item }) => item),
        { list: items[0]?.list ?? "", none, isHarmless }
      )
    ]
  }
}

const namedIn = (key: string): [name: string, tokens: ReadonlyArray<string>] => {
  const tokens = key.startsWith("/") ? key.slice(1).split("/") : [key]
  return [tokens.findLast((token) => !/^\d+$/.test(token)) ?? key, tokens]
}

const amountsOfLines = (
  lines: ReadonlyArray<Stating>,
  { isHarmless, list, none }: { list: string; none: ReadonlyArray<unknown>; isHarmless: (path: string) => boolean }
): ReadonlyArray<PlacedAmount> => {
  const found = lines.flatMap((line) => {
    const fields = line.tokens.filter((token) => !/^\d+$/.test(token))
    return numbersIn(line, [list, ...fields].join("/"), none, isHarmless)
  })
  return Array.from(
    Map.groupBy(found, ({ name }) => name),
    ([name, all]) => {
      const values = all.map(({ value }) => value)
      const whole = values.length > 1 ? [...values, BigDecimal.sumAll(values)] : values
      return { amount: { name, values: whole }, item: all[0]!.item }
    }
  )
}

interface UnreadNumber {
  readonly name: string
  readonly value: Money.Money
  readonly item: TracedItem
}

const numbersIn = (
  { fields, members, origin, tokens }: Stating,
  path: string,
  none: ReadonlyArray<unknown>,
  isHarmless: (path: string) => boolean
): ReadonlyArray<UnreadNumber> =>
  members.keys.flatMap((name, i): ReadonlyArray<UnreadNumber> => {
    const own = `${path}/${name}`
    const cell = members.values[i]
    if (none.includes(cell) || isList(cell) || isHarmless(own)) return []
    if (isMembers(cell)) {
      const inner = { fields: fields.at(name), members: cell, origin, tokens: [...tokens, name] }
      return numbersIn(inner, own, none, isHarmless)
    }
    const value = fields.reads(name) ? undefined : figureOf(textOf(cell))
    return value === undefined ? [] : [{ name, value, item: { origin, tokens } }]
  })

const figureOf = (text: string | undefined): Money.Money | undefined =>
  text === undefined
    ? undefined
    : decimalOf(
        text
          .replace(/^\((.{1,40})\)$/s, "-$1")
          .replace(/^-?(?:\p{Sc}|[A-Z]{3} )|(?: ?\p{Sc}| [A-Z]{3})$/u, (sign) => (sign.startsWith("-") ? "-" : ""))
          .replaceAll(/(?<=\d),(?=\d{3}(?:\D|$))/g, "")
      )
