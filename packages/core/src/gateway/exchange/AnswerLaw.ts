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

export interface Misfit {
  readonly field: string
  /** The expected form, or the name that was found instead. Rejected values are not quoted. */
  readonly text: string
  readonly follows: WhenUnreadable
  /** Subject of a row that was left out, if the subject can be read: `VAT15`. */
  readonly of?: string
}

export interface Decoded {
  readonly unknownFields: Readonly<Record<string, unknown>>
  readonly misfits?: ReadonlyArray<Misfit>
}

export const within = (field: string, misfits: ReadonlyArray<Misfit>): ReadonlyArray<Misfit> =>
  misfits.map((misfit) => ({ ...misfit, field: `${field}.${misfit.field}` }))

export const of = (
  { misfits = [] }: Pick<Decoded, "misfits">,
  ...fields: ReadonlyArray<string>
): ReadonlyArray<Misfit> =>
  misfits.filter(({ field }) => fields.some((name) => field === name || field.startsWith(`${name}.`)))
