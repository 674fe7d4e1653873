/** Texts as JSON writes them. */

const special = /["\\\p{Cc}\p{Cs}]/u

/** The same as `JSON.stringify`, at half the cost for the many texts that hold nothing to escape. */
export const quoted = (text: string): string => (special.test(text) ? JSON.stringify(text) : `"${text}"`)
