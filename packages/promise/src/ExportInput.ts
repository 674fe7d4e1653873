/**
 * Export of an accounting system instead of plain documents: the adapter, the files, and the
 * operator's settings.
 */

/**
 * An adapter for the exports of one accounting system: of `adapter-csv`, of `adapter-xero-like`, or
 * made with `adapter-kit`. Callers set only the options; only the connector calls the adapter.
 */
export interface ExportAdapter<Options> {
  readonly name: string
  read(input: never, options: Options): unknown
}

/**
 * A file by path, or bytes with a name that appears in every place. The connector may read the
 * bytes more than once.
 */
export type ExportFile =
  | string
  | { readonly name: string; readonly bytes: Uint8Array | (() => AsyncIterable<Uint8Array>) }

export interface ExportInput<Options> {
  readonly adapter: ExportAdapter<Options>
  readonly files: ReadonlyArray<ExportFile>
  /** Options of the adapter. Default none. */
  readonly options?: NoInfer<Options>
}

export interface QuestionsOptions {
  /** Answers by id of the question: the id of a choice, or the text to type. Default none. */
  readonly answers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** An open question about an export, as `connector plan --json` asks it. */
export interface Question {
  /** Id, the same in every run and for every file. */
  readonly id: string
  /** Group of the question: `columns`, `tax`, `buyers`. */
  readonly subject: string
  /** File that the question concerns; null if all files. */
  readonly file: string | null
  readonly question: string
  /** Number of documents blocked by the question. */
  readonly documents: number
  /** Up to three document numbers, or values of the column. Do not log. */
  readonly examples: ReadonlyArray<string>
  readonly choices: ReadonlyArray<{
    readonly id: string
    readonly words: string
    readonly examples: ReadonlyArray<string>
    readonly evidence: ReadonlyArray<string>
    /** Description of the text to type instead of the id; null if no text is needed. */
    readonly fill: string | null
  }>
  /** Id of the choice that the evidence supports; null if only an operator can decide. */
  readonly proposal: string | null
}

/** Open questions about an export, and the effect of the answers so far. */
export interface ExportQuestions<Options> {
  /** Empty if nothing is open. Later ones assume the proposals of earlier ones. */
  readonly questions: ReadonlyArray<Question>
  /** Answers that name no choice, or give one meaning to two columns. */
  readonly problems: ReadonlyArray<string>
  /** Answers that the export has no question for. */
  readonly unused: ReadonlyArray<string>
  /** Options of the adapter with the settled answers, for `plan` and `sync`. */
  readonly options: Options
  /** Text of the mapping book with the settled answers, for a new connector. */
  readonly book: string
}
