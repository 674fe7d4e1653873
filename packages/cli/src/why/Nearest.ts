/** What a person may have meant by a word that is not known. */

/** How many letters have to be added, left out or changed to make one of the other. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === b[j] ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}

const longest = 40

/** Those of the names that are nearest, whatever the case; none where none is near. */
export const nearest = (word: string, names: Iterable<string>): ReadonlyArray<string> => {
  const wanted = word.trim().toLowerCase()
  const near = Math.min(2, Math.floor(wanted.length / 3))
  if (near === 0 || wanted.length > longest) return []
  const found = Array.from(names, (name) => ({ name, far: distance(wanted, name.toLowerCase()) }))
  const least = Math.min(...found.map(({ far }) => far))
  return least > near ? [] : found.filter(({ far }) => far === least).map(({ name }) => name)
}
