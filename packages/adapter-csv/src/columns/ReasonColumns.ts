/** The columns that say why rows were refused, in the file of refused rows. */

/** The columns we add; when the file is imported again they are passed over. */
export const reasonColumns = ["Refused", "Refused because", "Refused: what to do"] as const

export const isReasonColumn = (name: string): boolean => reasonColumns.some((reason) => reason === name)
