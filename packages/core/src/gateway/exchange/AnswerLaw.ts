/** Rules for the fields of the gateway's answers (docs/gateway.md#answers). */

/**
 * Consequence of an absent field; null and left out are the same. `not-applied`: the guard that
 * needs the field does not apply. `asked`: documents are refused until `account accept-unknown`.
 * `answer`, `row`: the answer is malformed, or its row is left out.
 */
export type WhenAbsent = "null" | "not-applied" | "asked" | "answer" | "row"

/**
 * Consequence of an unreadable field. If a decision depends on the field, a near miss of its name
 * counts as unreadable. `documents`: documents that need the field are refused.
 */
export type WhenUnreadable = "null" | "documents" | "answer" | "row"

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
   * Further consequence of both an absent and an unreadable field: documents that need the field
   * are refused, or its document waits. Null if nothing more follows.
   */
  readonly beyond: "documents" | "waits" | null
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
