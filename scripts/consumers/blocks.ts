/** The code blocks of a page that are written in that language, in their order. */
export const blocks = (page: string, language: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, block]) => block!)
