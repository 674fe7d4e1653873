/**
 * Fold of a document number: equal for spellings that differ only in zeros, case, width, dashes,
 * blanks, slashes or dots. An equal fold raises a question, and never decides.
 */

/** Runs of letters, runs of digits, or another visible sign. The rest only separates. */
const parts = /[\p{L}\p{M}]+|\p{Nd}+|[^\p{L}\p{M}\p{Nd}\p{Z}\p{C}\p{Pd}\p{Pc}\s./\\\u2212]/gu

const mark = "|"

/** Returns the fold of a number. Never empty for a number that is not empty. */
export const of = (number: string): string => {
  // programs that read a column as decimals write 1001 as 1001.0
  const plain = number
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^(\d+)\.0+$/, "$1")
  const found = plain.match(parts)
  return found === null ? plain : found.map((part) => part.replace(/^0+(?=\p{Nd})/u, "")).join(mark)
}
