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

/** Maximum characters of a text that is compared with names: a longer text is not a name. */
const longest = 40

export const nearest = (word: string, names: Iterable<string>): ReadonlyArray<string> => {
  const wanted = word.trim().toLowerCase()
  const near = Math.min(2, Math.floor(wanted.length / 3))
  if (near === 0 || wanted.length > longest) return []
  const found = Array.from(names, (name) => ({ name, far: distance(wanted, name.toLowerCase()) }))
  const least = Math.min(...found.map(({ far }) => far))
  return least > near ? [] : found.filter(({ far }) => far === least).map(({ name }) => name)
}
