/** Maximum characters of a word. A longer cell is a text, and gets no answers. */
const longestWord = 100

export const answersFor = (
  words: "statuses" | "kinds" | "amountsAre",
  word: string | undefined,
  meanings: ReadonlyArray<string>
) =>
  word === undefined || word.length > longestWord
    ? undefined
    : { answers: meanings.map((meant) => ({ map: { version: 1, [words]: { [word]: meant } } })) }
