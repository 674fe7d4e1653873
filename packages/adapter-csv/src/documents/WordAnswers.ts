/** Maximum characters of a word. A longer cell is a text, and gets no answers. */
const longestWord = 100

/**
 * Returns the answers that give the word each of these meanings in the column map; undefined if the
 * text is too long for a word.
 */
export const answersFor = (
  words: "statuses" | "kinds" | "amountsAre",
  word: string | undefined,
  meanings: ReadonlyArray<string>
) =>
  word === undefined || word.length > longestWord
    ? undefined
    : { answers: meanings.map((meant) => ({ map: { version: 1, [words]: { [word]: meant } } })) }
