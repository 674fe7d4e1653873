/** An export of an accounting system in place of plain documents: the adapter that reads it, its files, and what a person has settled about it. */

/**
 * Reads the exports of one accounting system: `adapter-csv`'s, `adapter-xero-like`'s, or one that `adapter-kit` made. Only its options are of the
 * caller's concern; the connector alone calls it.
 */
export interface ExportAdapter<Options> {
  readonly name: string
  read(input: never, options: Options): unknown
}

/** A file by its path, or bytes by a name that stands in every place. They may be asked for more than once. */
export type ExportFile =
  | string
  | { readonly name: string; readonly bytes: Uint8Array | (() => AsyncIterable<Uint8Array>) }

export interface ExportInput<Options> {
  readonly adapter: ExportAdapter<Options>
  readonly files: ReadonlyArray<ExportFile>
  /** The adapter's own; default none. */
  readonly options?: NoInfer<Options>
}
