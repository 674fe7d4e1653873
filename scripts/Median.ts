/** Median of measurements: a pause of the process falls into few of them and does not move it. */
export const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
