/**
 * Readings of every origin match their interface from here on. Misfits become findings of their
 * document and are left out; nothing is converted.
 */
import * as CivilDate from "../document/CivilDate.ts"
import { zero } from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import { places, treatments, valuesStated } from "../finding/Statement.ts"
import type { Reading } from "./Adapter.ts"
import {
  date,
  type Expectation,
  fits,
  type Form,
  formOf,
  isObject,
  hasField,
  kindOf,
  listOf,
  longestText,
  money,
  noField,
  wholeNumber,
  oneOf,
  opened,
  or,
  text,
  within
} from "./Expectation.ts"
import { Schema } from "effect"
import { Answer } from "../finding/Answer.ts"
import type { Skipped, SourceDocument } from "./SourceDocument.ts"
import { SourceFinding } from "./SourceFinding.ts"
import { meanings, allSubjects } from "./StatedWords.ts"

const isAnswer = Schema.is(Answer)

/** Time in milliseconds since the epoch. */
const time: Expectation = { is: (value) => Number.isSafeInteger(value), expected: "milliseconds since the epoch" }

const day: Expectation = {
  is: (value) => typeof value === "string" && CivilDate.isCivilDate(value),
  expected: "a day that exists (CivilDate)"
}

const texts = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, text]))

const path: Expectation = {
  is: (value) =>
    Array.isArray(value) &&
    !value.some((part) => typeof part !== "string" && (typeof part !== "number" || !wholeNumber.is(part))),
  expected: "field names and indices"
}

const provenance = formOf({
  closed: true,
  required: { file: or(text, "") },
  optional: { ...texts("pointer", "text", "sheet", "cell", "columnName"), line: wholeNumber, column: wholeNumber }
})

const place = {
  ...within(provenance),
  expected: "a place in a file (Provenance)"
}

export const isPlace = (value: unknown): value is Provenance => place.is(value)

const unmapped = within(
  formOf({
    closed: true,
    required: { what: or(oneOf("tax", "currency", "payment method"), "tax"), spelling: or(text, "") },
    optional: texts("day", "percent", "account", "product")
  })
)

const answers: Expectation = {
  is: (value) => Array.isArray(value) && value.every(isAnswer),
  expected: "answers (finding/Answer)"
}

const listOfText: Expectation = {
  is: (value) => Array.isArray(value) && value.every((each) => text.is(each)),
  expected: "texts"
}

const statement = formOf({
  closed: true,
  required: {
    place: or(oneOf(...places), "field"),
    name: or(text, ""),
    samples: or(listOfText, []),
    values: or(oneOf(...valuesStated), "texts"),
    treatment: or(oneOf(...treatments), "named")
  },
  optional: { reason: text }
})

const finding = formOf({
  closed: true,
  required: {
    _tag: or(oneOf("Finding"), "Finding"),
    code: or(text, SourceFinding.READING_MALFORMED.code),
    severity: or(oneOf("error", "warning"), "error"),
    message: or(text, SourceFinding.READING_MALFORMED.meaning),
    consequence: or(text, SourceFinding.READING_MALFORMED.consequence),
    fix: or(text, SourceFinding.READING_MALFORMED.fix),
    path: or(path, [])
  },
  optional: { detail: text, at: place, unmapped, answers, statements: listOf(statement) }
})

const tax = formOf({
  closed: true,
  required: { code: or(text, "") },
  optional: { percent: money, amount: money }
})
const taxes = or(listOf(tax), [])

const discount: Expectation = {
  is: (value) =>
    isObject(value) &&
    Object.keys(value).every((name) => name === "percent" || name === "amount") &&
    (value["percent"] === undefined
      ? money.is(value["amount"])
      : money.is(value["percent"]) && value["amount"] === undefined),
  expected: "an exact percent, or an exact amount"
}

const totals = formOf({ closed: true, required: {}, optional: { net: money, tax: money, total: money } })

const line = formOf({
  closed: true,
  required: { taxes },
  optional: {
    ...texts("description", "productCode", "account"),
    quantity: money,
    unitPrice: money,
    lineAmount: money,
    totals: within(totals),
    discount
  }
})

const charge = formOf({
  closed: true,
  required: {
    kind: or(oneOf("shipping", "fee", "adjustment", "rounding", "discount"), "adjustment"),
    amount: or(money, zero),
    taxes
  },
  optional: {}
})

const original = formOf({
  closed: true,
  required: { by: or(oneOf("id", "number"), "number"), value: or(text, "") },
  optional: { ...texts("number", "currency"), amount: money, date: day, total: money }
})

const listOfMoney: Expectation = {
  is: (value) => Array.isArray(value) && value.every((each) => money.is(each)),
  expected: "exact amounts"
}

const form = formOf({
  closed: true,
  required: {
    subject: or(oneOf(...allSubjects), "kind"),
    name: or(text, ""),
    text: or(text, "")
  },
  optional: { line: wholeNumber, means: oneOf(...meanings), answers }
})

const amount = formOf({
  closed: true,
  required: { name: or(text, ""), values: or(listOfMoney, []) },
  optional: { answers, changes: answers, currency: text, of: oneOf("rows", "repeated") }
})

const address = formOf({ closed: true, required: {}, optional: texts("province", "street", "houseNo", "city") })

const buyer = formOf({
  closed: true,
  required: {},
  optional: {
    ...texts("id", "name", "tradeName", "tin", "vatNumber", "phone", "email"),
    address: within(address)
  }
})

const where: Expectation = {
  is: (value) => typeof value === "function",
  expected: "a function from a path to a place in a file"
}

const nowhere: Provenance = { file: "" }

const replaced = formOf({
  closed: true,
  required: { by: or(oneOf("id", "number"), "id"), value: or(text, "") },
  optional: {}
})

const document = formOf({
  required: {
    kind: or(oneOf("invoice", "credit-note"), "invoice"),
    id: or(text, ""),
    number: or(text, ""),
    order: or(wholeNumber, 0),
    taxMode: or(oneOf("inclusive", "exclusive", "untaxed", "unstated"), "unstated"),
    lines: or(listOf(line), []),
    charges: or(listOf(charge), []),
    totals: or(within(totals), {}),
    originals: or(listOf(original), []),
    findings: or(listOf(finding), []),
    where: or(where, () => nowhere)
  },
  optional: {
    date,
    due: day,
    modified: time,
    buyer: within(buyer),
    replaces: within(replaced),
    words: listOf(form),
    amounts: listOf(amount),
    ...texts("currency", "reason", "reference", "paymentMethod")
  }
})

const named = {
  closed: true as const,
  required: { kind: or(oneOf("invoice", "credit-note"), "invoice"), id: or(text, ""), number: or(text, "") }
}

const identity = within(formOf({ ...named, optional: {} }))

const cancelled = within(formOf({ ...named, optional: { replaces: within(replaced) } }))

const skipped = formOf({
  closed: true,
  required: { key: or(text, ""), reason: or(text, ""), at: or(place, nowhere) },
  optional: { document: identity, modified: time, cancelled, of: identity }
})

interface ReadingProblem {
  readonly path: Finding.Path
  readonly value: unknown
  readonly expectation: Expectation
}

const fitted = (
  value: unknown,
  expectation: Expectation,
  at: Finding.Path,
  problems: Array<ReadingProblem>
): unknown => {
  if (expectation.is(value)) return value
  const inner = expectation.within
  if (inner !== undefined && "list" in inner && Array.isArray(value)) {
    const one = within(inner.list)
    return Array.from(value, (each, i) => fitted(each, one, [...at, i], problems))
  }
  if (inner !== undefined && "form" in inner) {
    if (isObject(value)) return fittedObject(value, inner.form, at, problems)
    problems.push({ path: at, value, expectation })
    return fittedObject({}, inner.form, at, [])
  }
  problems.push({ path: at, value, expectation })
  return undefined
}

const fittedObject = (
  value: Record<string, unknown>,
  form: Form,
  at: Finding.Path,
  problems: Array<ReadingProblem>
): Record<string, unknown> => {
  const result: Record<string, unknown> = { ...value }
  const expected = { ...form.required, ...form.optional }
  for (const [name, expectation] of Object.entries<Expectation & { readonly otherwise?: unknown }>(expected)) {
    const given = value[name]
    const required = Object.hasOwn(form.required, name)
    if (given === undefined && !required) continue
    const kept = fitted(given, expectation, [...at, name], problems) ?? expectation.otherwise
    if (kept === undefined) delete result[name]
    else result[name] = kept
  }
  for (const name of form.closed === undefined ? [] : Object.keys(value)) {
    if (hasField(form, name)) continue
    delete result[name]
    problems.push({ path: [...at, name], value: value[name], expectation: noField })
  }
  return result
}

/** As `lines[].quantity`: one message for the same mistake in every line. */
const spelled = (at: Finding.Path): string =>
  at.map((part, i) => (typeof part === "number" ? "[]" : i === 0 ? part : `.${part}`)).join("") || "the reading"

const findingOf = (
  { expectation: { expected, fix }, path: at, value }: ReadingProblem,
  found: Provenance | undefined
) => {
  if (typeof value === "string" && value.length > longestText && expected === text.expected) {
    const message = `${spelled(at)}: the text has ${value.length} characters, and ${longestText} are allowed`
    return Finding.make(SourceFinding.TEXT_TOO_LONG, { message, path: at, at: found })
  }
  return Finding.make(SourceFinding.READING_MALFORMED, {
    message: `${spelled(at)}: expected ${expected}, the adapter gave ${kindOf(value)}`,
    path: at,
    at: found,
    ...(fix !== undefined && { fix })
  })
}

const placeOf = (source: Pick<SourceDocument, "where">, at: Finding.Path): Provenance | undefined => {
  const found: unknown = source.where(at)
  return isPlace(found) ? found : undefined
}

const documentOf = (given: Record<string, unknown>, seq: number): SourceDocument => {
  const problems: Array<ReadingProblem> = []
  const source = fittedObject(given, document, [], problems) as unknown as SourceDocument & Record<string, unknown>
  const own = source.where
  // a removed field has no path; `where` may be a method and needs its object
  const whole = { ...source, where: (at: Finding.Path) => own.call(given, at) }
  const plain: SourceDocument = {
    ...whole,
    id: whole.id === "" && whole.number === "" ? `document ${seq}` : whole.id,
    findings: [...whole.findings, ...problems.map((problem) => findingOf(problem, placeOf(whole, problem.path)))]
  }
  return ofItsClass(given, plain)
}

/** The adapter gets a refused reading back in `writeRefused` and recognizes its class. */
const ofItsClass = <R extends Reading>(given: object, plain: R): R =>
  Object.create(Object.getPrototypeOf(given) as object | null, Object.getOwnPropertyDescriptors(plain)) as R

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const kindOfReading = (closed: Form) => ({ closed, open: opened(closed) })

const findings = kindOfReading(finding)
const skips = kindOfReading(skipped)

/**
 * Misfits are replaced, and each becomes a separate finding. The adapter's own class may add fields
 * (a row, for example), and an instance keeps its class.
 */
const withStrays = <R extends Skipped | Finding.Finding>(
  given: Record<string, unknown>,
  forms: ReturnType<typeof kindOfReading>
): ReadonlyArray<Reading> | R => {
  const form = isPlain(given) ? forms.closed : forms.open
  if (fits(given, form)) return given as unknown as R
  const problems: Array<ReadingProblem> = []
  const kept = fittedObject(given, form, [], problems) as unknown as R
  const at = isPlace(given["at"]) ? given["at"] : undefined
  return [ofItsClass(given, kept), ...problems.map((problem) => findingOf(problem, at))]
}

/**
 * Returns a valid reading unchanged. Otherwise returns the valid part, with findings
 * (READING_MALFORMED, READING_UNKNOWN) that refuse the reading. `seq` names a document without id
 * and number. Throws exceptions of the adapter's getters.
 */
export const checked = (given: unknown, seq: number): ReadonlyArray<Reading> | Reading => {
  if (isObject(given)) {
    switch (given["_tag"]) {
      case "SourceDocument":
        return fits(given, document) ? (given as unknown as SourceDocument) : documentOf(given, seq)
      case "Skipped":
        return withStrays<Skipped>(given, skips)
      case "Finding":
        return withStrays<Finding.Finding>(given, findings)
    }
  }
  const message = `expected a reading, the adapter gave ${kindOf(given)}`
  return Finding.make(SourceFinding.READING_UNKNOWN, { message })
}
