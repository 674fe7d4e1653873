/** The code blocks of a page that are written in that language, in their order; those of a list's items without their indent. */
export const blocks = (page: string, language: string): ReadonlyArray<string> =>
  Array.from(page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^\\1\`\`\`$`, "gm")), ([, indent, block]) =>
    block!.replaceAll(new RegExp(`^${indent}`, "gm"), "")
  )
