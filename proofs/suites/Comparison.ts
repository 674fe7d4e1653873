/** The tests before and after, by name. */

export interface Named {
  readonly suite: string
  readonly file: string
  readonly name: string
}

/** The stated fate of tests that have no namesake: a file and the beginning of a name, where they are now, and why. */
export interface Move {
  readonly file: string
  readonly name: string
  readonly to: string
  readonly why: string
}

export const suiteTable = (before: ReadonlyArray<Named>, after: ReadonlyArray<Named>): string => {
  const count = (tests: ReadonlyArray<Named>) => [...Map.groupBy(tests, ({ suite }) => suite)]
  const row = ([suite, tests]: readonly [string, ReadonlyArray<Named>]) =>
    `| ${suite} | ${new Set(tests.map(({ file }) => file)).size} | ${tests.length} |`
  return ["| suite | files | tests |", "|---|---|---|", ...count(before).map(row), ...count(after).map(row)].join("\n")
}

export interface Gone {
  readonly test: Named
  readonly fate: string
}

/** Tests that are not in their file any more; a namesake elsewhere is where a test was moved to. */
export const isGone = (
  before: ReadonlyArray<Named>,
  after: ReadonlyArray<Named>,
  moves: ReadonlyArray<Move>
): ReadonlyArray<Gone> => {
  const left = new Map<string, Array<Named>>()
  for (const test of after) left.set(test.name, [...(left.get(test.name) ?? []), test])
  const take = (name: string, where: (test: Named) => boolean): Named | undefined => {
    const tests = left.get(name) ?? []
    const at = tests.findIndex(where)
    return at < 0 ? undefined : tests.splice(at, 1)[0]
  }
  const missing = before.filter((test) => take(test.name, ({ file }) => file === test.file) === undefined)
  return missing.map((test) => {
    const moved = take(test.name, () => true)
    if (moved !== undefined) return { test, fate: `moved to ${moved.suite}: ${moved.file}` }
    const move = moves.find(({ file, name }) => file === test.file && test.name.startsWith(name))
    return { test, fate: move === undefined ? "LOST" : `${move.to}: ${move.why}` }
  })
}
