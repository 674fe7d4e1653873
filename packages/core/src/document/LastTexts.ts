/** Slots of a cache of recent texts: consecutive lines and documents share many texts. */

/** Number of slots; each slot keeps the last text. */
export const places = 1024

export const placeOf = (text: string): number => ((text.length << 5) ^ text.charCodeAt(text.length - 1)) & (places - 1)
