export interface Block {
  readonly language: string
  readonly text: string
}

/** Returns the code blocks of a page, in order. Removes the indent of blocks in list items. */
export const fenced = (page: string): ReadonlyArray<Block> =>
  Array.from(page.matchAll(/^( *)```(\w+)\n([^]*?)^\1```$/gm), ([, indent, language, text]) => ({
    language: language!,
    text: text!.replaceAll(new RegExp(`^${indent}`, "gm"), "")
  }))

/** Returns the code blocks of a page in one language, in order. */
export const blocks = (page: string, language: string): ReadonlyArray<string> =>
  fenced(page).flatMap((block) => (block.language === language ? [block.text] : []))
