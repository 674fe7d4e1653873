/** One statement of an export, such as a column, and its treatment. */

/** Places of statements in an export. */
export const places = [
  "column",
  "field",
  "row outside the table",
  "sheet",
  "cell comment",
  "struck cell",
  "number format",
  "file name"
] as const

/**
 * Treatments of a statement. `held`: compared with what is read. `harmless`: by the documentation
 * of the product. `answered`: by the operator. `named`: shown to the operator as not read.
 */
export const treatments = ["read", "held", "harmless", "answered", "named"] as const

/**
 * Values of a statement. `figures`: numbers that the documents also state elsewhere. `constant`:
 * one value in the whole file.
 */
export const valuesStated = ["numbers", "figures", "texts", "constant"] as const

/** Values of one column or field of a file, or one text outside its documents. */
export interface Statement {
  readonly place: (typeof places)[number]
  readonly name: string
  /** Up to three different values, as in the file; of a file name, the names of its columns. */
  readonly samples: ReadonlyArray<string>
  readonly values: (typeof valuesStated)[number]
  readonly treatment: (typeof treatments)[number]
  readonly reason?: string
}
