/** Where a text is remembered among the last ones: neighbouring lines and documents have many in common. */

/** So many are remembered, the last for each place. */
export const places = 1024

/** The place of a text, below `places`; the same for equal texts. */
export const placeOf = (text: string): number => ((text.length << 5) ^ text.charCodeAt(text.length - 1)) & (places - 1)
