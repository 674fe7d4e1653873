/**
 * Returns the code blocks of a page in one language, in order. Removes the indent of blocks in list
 * items.
 */
export const blocks = (page: string, language: string): ReadonlyArray<string> =>
  Array.from(page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^\\1\`\`\`$`, "gm")), ([, indent, block]) =>
    block!.replaceAll(new RegExp(`^${indent}`, "gm"), "")
  )
