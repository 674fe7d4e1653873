/**
 * Consequences of answer fields that are absent, unreadable or of an unknown value, in the words of
 * the table in docs/gateway.md#answers.
 */

/** Consequences of an absent field. Null and left out are the same. */
export const whenAbsent = {
  null: "reads as null; nothing follows",
  "not-applied": "the guard does not apply; one warning",
  asked: "documents that need it are refused until `account accept-unknown`",
  answer: "the answer is refused as malformed",
  row: "its row is left out; a warning"
} as const

/**
 * Consequences of an unreadable field. If a decision depends on the field, a near miss of its name
 * counts as unreadable.
 */
export const whenUnreadable = {
  null: "reads as null, is kept in `unknownFields`; a warning",
  documents: "documents that need it are refused, no others",
  answer: "the answer is refused as malformed",
  row: "its row is left out; a warning"
} as const

/** Consequences of an absent or unreadable field beyond its own answer. */
export const whatFollows = {
  documents: "documents that need it are refused, no others",
  waits: "its document waits, and is asked for again"
} as const

export type WhenAbsent = keyof typeof whenAbsent
export type WhenUnreadable = keyof typeof whenUnreadable

/** Rules for one field. */
export interface FieldLaw {
  /** Decision that depends on the field. Null if no decision does. */
  readonly by: string | null
  readonly absent: WhenAbsent
  readonly unreadable: WhenUnreadable
  /**
   * Consequence of an unknown value if the field is an open enumeration. Null if every readable
   * value is a known value.
   */
  readonly unknown: string | null
  /**
   * Further consequence of both an absent and an unreadable field. Null if nothing more follows.
   */
  readonly beyond: keyof typeof whatFollows | null
  /** Meaning of an absent field, if the meaning is more than null: `exempt`. */
  readonly taken: string | null
}

/** One part of an answer that did not fit its law. */
export interface Misfit {
  /** Path on the wire, lists counted from 0: `CurrentConfig.applicableTaxes.2.taxValidTill`. */
  readonly field: string
  /** The expected form, or the name that was found instead. Rejected values are not quoted. */
  readonly problem: string
  readonly follows: WhenUnreadable
  /** Subject of a row that was left out, if the subject can be read: `VAT15`. */
  readonly of?: string
}

/**
 * Common part of everything decoded by a law: fields without a law, values that did not fit, and
 * their misfits.
 */
export interface Decoded {
  /**
   * Fields that are not in the contract, and values that did not fit their field, under their names
   * on the wire.
   */
  readonly unknownFields: Readonly<Record<string, unknown>>
  /** Left out if everything fits. */
  readonly misfits?: ReadonlyArray<Misfit>
}

/** Returns the same misfits with their paths inside a field of another object. */
export const within = (field: string, misfits: ReadonlyArray<Misfit>): ReadonlyArray<Misfit> =>
  misfits.map((misfit) => ({ ...misfit, field: `${field}.${misfit.field}` }))

/** Returns the misfits of the fields and of everything inside the fields, by wire name. */
export const of = (
  { misfits = [] }: Pick<Decoded, "misfits">,
  ...fields: ReadonlyArray<string>
): ReadonlyArray<Misfit> =>
  misfits.filter(({ field }) => fields.some((name) => field === name || field.startsWith(`${name}.`)))
