/** Marker stored in `source` after a document's texts were erased. */

/** Reads as a Provenance, so that lists can show it. */
export const forgottenSource = JSON.stringify({ file: "(forgotten)" })

export const isForgotten = ({ source }: { readonly source: string }): boolean => source === forgottenSource
