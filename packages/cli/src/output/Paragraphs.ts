/** Returns the parts of an answer with an empty line between them. An empty part is left out. */
export const paragraphs = (parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("\n\n")
