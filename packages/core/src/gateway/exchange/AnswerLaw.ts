/** What follows for each field of an answer that is absent, unreadable or of an unknown value: the words of the table in docs/gateway.md#answers. */

/** What an absent field leads to. Null and left out are the same. */
export const whenAbsent = {
  null: "reads as null; nothing follows",
  "not-applied": "the guard does not apply; one warning",
  asked: "documents that need it are refused until `account accept-unknown`",
  answer: "the answer is refused as malformed",
  row: "its row is left out; a warning"
} as const

/** What an unreadable field leads to; a near miss of its name counts as unreadable where somebody decides by the field. */
export const whenUnreadable = {
  null: "reads as null, is kept in `unknownFields`; a warning",
  documents: "documents that need it are refused, no others",
  answer: "the answer is refused as malformed",
  row: "its row is left out; a warning"
} as const

/** What a field that is absent or unreadable leads to beyond its own answer. */
export const whatFollows = {
  documents: "documents that need it are refused, no others",
  waits: "its document waits, and is asked for again"
} as const

export type WhenAbsent = keyof typeof whenAbsent
export type WhenUnreadable = keyof typeof whenUnreadable

/** The law of one field. */
export interface FieldLaw {
  /** Who decides by it; null where nobody does. */
  readonly by: string | null
  readonly absent: WhenAbsent
  readonly unreadable: WhenUnreadable
  /** Consequence of a value that nobody has seen, where the field is an open enumeration; null where every readable value is one of its values. */
  readonly unknown: string | null
  /** What both an absent and an unreadable field lead to after that; null where nothing. */
  readonly beyond: keyof typeof whatFollows | null
  /** What an absent field is taken for, where that is more than null: `exempt`. */
  readonly taken: string | null
}

/** One thing in an answer that did not fit its law. */
export interface Misfit {
  /** The wire's path to it, lists counted from 0: `CurrentConfig.applicableTaxes.2.taxValidTill`. */
  readonly field: string
  /** What was expected, or the name that was found instead; rejected values are not quoted. */
  readonly problem: string
  readonly follows: WhenUnreadable
  /** Of a row that was left out: what it is about, as far as that can be read, `VAT15`. */
  readonly of?: string
}

/** Part of everything that is decoded by a law: fields without a law, values that did not fit, and what is said of these. */
export interface Decoded {
  /** Fields that the contract does not show, and values that did not fit their field, under the wire's own names. */
  readonly unknownFields: Readonly<Record<string, unknown>>
  /** Left out where everything fits. */
  readonly misfits?: ReadonlyArray<Misfit>
}

/** The same misfits, in a field of another object. */
export const within = (field: string, misfits: ReadonlyArray<Misfit>): ReadonlyArray<Misfit> =>
  misfits.map((misfit) => ({ ...misfit, field: `${field}.${misfit.field}` }))

/** Returns the misfits of the field and of what is in it, by the field's wire name. */
export const of = (
  { misfits = [] }: Pick<Decoded, "misfits">,
  ...fields: ReadonlyArray<string>
): ReadonlyArray<Misfit> =>
  misfits.filter(({ field }) => fields.some((name) => field === name || field.startsWith(`${name}.`)))
