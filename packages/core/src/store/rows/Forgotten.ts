/**
 * Marker stored in `source` after a document's texts were erased. The marker is the JSON of a
 * Provenance, so that lists of documents can show the marker like any other source.
 */
export const forgottenSource = JSON.stringify({ file: "(forgotten)" })

export const isForgotten = ({ source }: { readonly source: string }): boolean => source === forgottenSource
