/** Types of a bench topic: sides that take turns, and rows that compare two sides. */

/** Result of one run of a side. */
export interface Sample {
  /** Amount of work, in units of the topic: megabytes, documents, operations. */
  readonly work: number
  /** Elapsed time, including waits; meaningful only on an idle machine. */
  readonly seconds: number
  /** User and system time, in seconds. */
  readonly cpu: number
  /** Peak of resident memory, in MiB; null if the side runs in the bench's own process. */
  readonly peak: number | null
}

/** A figure to compare between two samples. */
export interface Figure {
  readonly unit: string
  readonly better: "more" | "less"
  readonly of: (sample: Sample) => number
}

/** Work per CPU time, the figure least affected by a loaded machine. */
export const speed = (unit: string): Figure => ({
  unit: `${unit}/s of CPU`,
  better: "more",
  of: ({ cpu, work }) => work / cpu
})

/** Work per elapsed time. */
export const pace = (unit: string): Figure => ({
  unit: `${unit}/s`,
  better: "more",
  of: ({ seconds, work }) => work / seconds
})

/** CPU time for one unit of work. */
export const cost = (unit: string): Figure => ({
  unit: `µs of CPU a ${unit}`,
  better: "less",
  of: ({ cpu, work }) => (cpu * 1e6) / work
})

/** CPU time of the whole run. */
export const cpu: Figure = { unit: "s of CPU", better: "less", of: ({ cpu }) => cpu }

export const memory: Figure = { unit: "MiB", better: "less", of: ({ peak }) => peak ?? Number.NaN }

export interface Row {
  readonly name: string
  /** Names of two sides. */
  readonly ours: string
  readonly peer: string
  readonly figure: Figure
}

export interface Topic {
  readonly sides: Readonly<Record<string, () => Promise<Sample>>>
  readonly rows: ReadonlyArray<Row>
  /** Returns the lines of a table that the topic prints besides its rows. */
  readonly table?: () => Promise<ReadonlyArray<string>>
  /** Releases resources that the sides share. */
  readonly end?: () => Promise<void>
}

/** Parameters of a topic. */
export interface Scale {
  /** Folder for files, deleted afterwards. */
  readonly folder: string
  /** Size of the large case: rows of a file, submissions of a store. */
  readonly rows: number
}
