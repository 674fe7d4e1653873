/** What a topic of the bench is: sides that take turns, and rows that hold one side against another. */

/** What one run of a side came to. */
export interface Sample {
  /** How much was done, in units of the topic: megabytes, documents, operations. */
  readonly work: number
  /** By the clock; waiting included, so good only on an idle machine. */
  readonly seconds: number
  /** User and system time, in seconds. */
  readonly cpu: number
  /** Peak of resident memory, MiB; null where the side runs in the bench's own process. */
  readonly peak: number | null
}

/** What of two samples is compared. */
export interface Figure {
  readonly unit: string
  readonly better: "more" | "less"
  readonly of: (sample: Sample) => number
}

/** Work by CPU time: what a loaded machine changes least. */
export const speed = (unit: string): Figure => ({
  unit: `${unit}/s of CPU`,
  better: "more",
  of: ({ cpu, work }) => work / cpu
})

/** Work by the clock. */
export const pace = (unit: string): Figure => ({
  unit: `${unit}/s`,
  better: "more",
  of: ({ seconds, work }) => work / seconds
})

/** CPU time for one piece of work. */
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
  /** The names of two sides. */
  readonly ours: string
  readonly peer: string
  readonly figure: Figure
}

export interface Topic {
  readonly sides: Readonly<Record<string, () => Promise<Sample>>>
  readonly rows: ReadonlyArray<Row>
  /** Ends what the sides share. */
  readonly end?: () => Promise<void>
}

/** What a topic is set up by. */
export interface Scale {
  /** A folder for files, which is removed afterwards. */
  readonly folder: string
  /** How large the large case is: rows of a file, submissions of a store. */
  readonly rows: number
}
