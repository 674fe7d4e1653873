/** How it is told that a document's texts were forgotten: it stands where its place in the export stood. */

/** Reads as a Provenance, so that lists show it. */
export const forgottenSource = JSON.stringify({ file: "(forgotten)" })

export const isForgotten = ({ source }: { readonly source: string }): boolean => source === forgottenSource
