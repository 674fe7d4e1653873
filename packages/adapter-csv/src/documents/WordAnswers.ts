/** What a person may answer where an export has a word whose meaning is not known. */

const longestWord = 100

/** The answers that give the word each of these meanings, in the column map; none for what is no word. */
export const answersFor = (
  words: "statuses" | "kinds" | "amountsAre",
  word: string | undefined,
  meanings: ReadonlyArray<string>
) =>
  word === undefined || word.length > longestWord
    ? undefined
    : { answers: meanings.map((meant) => ({ map: { version: 1, [words]: { [word]: meant } } })) }
