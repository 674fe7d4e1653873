/**
 * What must never come out: the key and the secret that the tests' configurations use, in every form in which they could. Everything that a test's command
 * prints, and every file that it writes, is searched for them.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const key = "test-key-planted-1f8a"
export const secret = "test-secret-planted-9c2b"

/** The text in every form in which it could come out. */
export const forms = (planted: string): ReadonlyArray<Buffer> => {
  const bytes = Buffer.from(planted)
  // base64 in each place it may have among other bytes, less what the neighbours change
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "")
    return text.slice(before === 0 ? 0 : before + 1, -2)
  })
  const texts = [bytes.toString("hex"), bytes.toString("hex").toUpperCase(), ...base64]
  return [bytes, Buffer.from(planted, "utf16le"), ...texts.map((text) => Buffer.from(text))]
}

const wanted = Object.entries({ key, secret }).map(([name, planted]) => [name, forms(planted)] as const)

/** Which of the two is in there, in whatever form. */
export const leaks = (content: string | Uint8Array): ReadonlyArray<string> => {
  const bytes = Buffer.from(content as string)
  return wanted.flatMap(([name, all]) => (all.some((form) => bytes.includes(form)) ? [name] : []))
}

/** What the connector writes; configurations, exports and the files of secrets are the person's own. */
const written = /\.db(-\w+)?$|\.refused\.\w+$|\.stores\.json$|\.pdf$|\.log$/

/** Every file below the folder that the connector wrote and that has one of the two in it. */
export const leakingFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !written.test(entry.name)) return []
    return leaks(readFileSync(file)).map((what) => `the ${what} is in ${file}`)
  })

/** Fails the test in which it is called. */
export const assertNoLeak = (what: string, content: string | Uint8Array): void => {
  const found = leaks(content)
  if (found.length > 0) throw new Error(`the ${found.join(" and the ")} came out: ${what}`)
}
