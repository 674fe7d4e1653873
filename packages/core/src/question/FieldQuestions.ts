/**
 * Which field states the buyer's numbers, the product codes and the payment methods. A field is
 * offered if its values are usable, and proposed if it is the only field with all values in the
 * right form.
 */
import { Effect, Stream } from "effect"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { Adapter, AdapterError, FieldSetting, Input } from "../source/Adapter.ts"
import * as Readings from "../source/Readings.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { hasForm } from "../translate/Buyer.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import type { Choice, OpenQuestion } from "./OpenQuestion.ts"

export const none = "none"

interface FieldKind {
  readonly question: string
  readonly none: string
  readonly valuesIn: (source: SourceDocument) => ReadonlyArray<string | undefined>
  readonly hasForm: ((text: string) => boolean) | undefined
  readonly form: string
}

const kinds: { readonly [States in FieldSetting["states"]]: FieldKind } = {
  "buyer-tin": {
    question: "Which field is the buyer's TIN?",
    none: "none: the export states no TIN",
    valuesIn: ({ buyer }) => [buyer?.tin],
    hasForm: (text) => hasForm("tin", text),
    form: "has the 10 digits of a TIN"
  },
  "buyer-vat-number": {
    question: "Which field is the buyer's VAT number?",
    none: "none: the export states no VAT number",
    valuesIn: ({ buyer }) => [buyer?.vatNumber],
    hasForm: (text) => hasForm("vatNumber", text),
    form: "has the 9 digits of a VAT number"
  },
  "product-code": {
    question: "Which field is the HS code of an item?",
    none: "none: the export states no HS code",
    valuesIn: ({ lines }) => lines.map(({ productCode }) => productCode),
    hasForm: (text) => /^\d{8}$/.test(text),
    form: "has the 8 digits of an HS code"
  },
  "payment-method": {
    question: "Which field says how a document was paid?",
    none: "none: the export does not say it",
    valuesIn: ({ paymentMethod }) => [paymentMethod],
    hasForm: undefined,
    form: ""
  }
}

export const isOf = (id: string): boolean => id in kinds

interface FieldStatistics {
  documents: number
  values: number
  ofForm: number
  readonly numbers: Array<string>
  readonly examples: Set<string>
}

/** Maximum number of documents examined: more documents would not improve the evidence. */
const most = 1000

export interface AskingFields<Options> {
  readonly adapter: Adapter<Options>
  readonly input: Input
  readonly options: Options
}

/** Reads the export once per field of the longest list. */
export const ask = <Options>(
  { adapter, input, options }: AskingFields<Options>,
  book: MappingBook
): Effect.Effect<ReadonlyArray<OpenQuestion>, AdapterError> =>
  Effect.gen(function* () {
    const given = options as Readonly<Record<string, unknown>>
    const settings = (adapter.fields ?? []).filter(({ setting }) => given[setting] === undefined)
    const rounds = Math.max(0, ...settings.map(({ fields }) => fields.length))
    const stated = new Map<FieldSetting, Map<string, FieldStatistics>>(settings.map((setting) => [setting, new Map()]))
    for (let round = 0; round < rounds; round++) {
      const tried = settings.flatMap((setting) => {
        const field = setting.fields[round]
        return field === undefined ? [] : [{ setting, field }]
      })
      const answers = tried.map(({ field, setting }) => ({ settings: { [setting.setting]: field } }))
      const laid = AnsweredReading.laidAll(adapter, options, answers)
      yield* Readings.from(adapter, input, laid, book).pipe(
        Stream.filter((reading): reading is SourceDocument => reading._tag === "SourceDocument"),
        Stream.take(most),
        Stream.runForEach((source) =>
          Effect.sync(() => {
            for (const { field, setting } of tried) add(stated.get(setting)!, field, source, kinds[setting.states])
          })
        )
      )
    }
    return settings.flatMap((setting) => questionOf(setting, stated.get(setting)!) ?? [])
  })

const add = (
  fields: Map<string, FieldStatistics>,
  field: string,
  source: SourceDocument,
  { hasForm, valuesIn }: FieldKind
): void => {
  const values = valuesIn(source).flatMap((value) => value?.trim() || [])
  if (values.length === 0) return
  const known = fields.get(field) ?? { documents: 0, values: 0, ofForm: 0, numbers: [], examples: new Set() }
  fields.set(field, known)
  known.documents += 1
  known.values += values.length
  known.ofForm += values.filter((value) => hasForm?.(value) ?? true).length
  if (known.numbers.length < 3) known.numbers.push(source.number || source.id)
  for (const value of values) if (known.examples.size < 3) known.examples.add(value)
}

const questionOf = (
  { none: noField, setting, states }: FieldSetting,
  fields: ReadonlyMap<string, FieldStatistics>
): OpenQuestion | undefined => {
  const { form, hasForm, none: noneWords, question } = kinds[states]
  // a buyer's number must have its form; a product code may be a spelling of the mapping book
  const offered = [...fields].filter(([, { ofForm }]) => ofForm > 0 || states === "product-code")
  if (offered.length === 0) return undefined
  const sound = offered.filter(([, { ofForm, values }]) => hasForm !== undefined && ofForm === values)
  const [first] = offered.toSorted(([, a], [, b]) => b.documents - a.documents)
  return {
    id: states,
    subject: states === "product-code" ? "lines" : states === "payment-method" ? "documents" : "buyers",
    file: null,
    question,
    documents: first![1].documents,
    examples: first![1].numbers,
    choices: [
      ...offered.map(([field, { documents, examples, ofForm, values }]): Choice => ({
        id: field,
        words: `the field ${field}`,
        examples: [...examples],
        evidence: [
          `${documents} ${documents === 1 ? "document states" : "documents state"} it${
            hasForm === undefined
              ? ""
              : ofForm === values
                ? `, and each value ${form}`
                : `, and ${ofForm} of ${values} values ${form.replace(/^has/, "have")}`
          }`
        ],
        reading: { settings: { [setting]: field } },
        book: [],
        fill: null
      })),
      { id: none, words: noneWords, examples: [], evidence: [], reading: noField ?? null, book: [], fill: null }
    ],
    proposal: sound.length === 1 ? sound[0]![0] : null
  }
}
