/** Compares the tests before and after a change, by name. */

export interface Named {
  readonly suite: string
  readonly file: string
  readonly name: string
}

/**
 * Stated fate of tests without a namesake: the file, the beginning of the name, the new place, and
 * the reason.
 */
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

/**
 * Returns the tests that are no longer in their file; a namesake elsewhere is the new place of a
 * moved test.
 */
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
