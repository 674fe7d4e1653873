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
