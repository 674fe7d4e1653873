/** License texts of the packages in a bundle, because each license requires its text. */
import type { Metafile } from "esbuild"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

const root = join(import.meta.dirname, "../..")

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string | { readonly type: string }
  readonly author?: string | { readonly name: string }
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/**
 * Returns the folder of a file's package: the nearest folder upwards whose package.json has a name
 * and a version.
 */
const packageOf = (file: string): string => {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (!existsSync(join(folder, "package.json"))) continue
    const { name, version } = manifestOf(folder)
    if (name !== undefined && version !== undefined) return folder
  }
}

/** Standard texts of licenses, for packages that name a license without its text. */
const usual: Readonly<Record<string, string>> = {
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM
LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.`
}

const withoutFile = ({ author, license, name }: Manifest): string => {
  const text = typeof license === "string" ? usual[license] : undefined
  if (text === undefined)
    throw new Error(`${name} has no text of its license: write it down in scripts/artefact/Notices.ts`)
  const holder = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`)
  return `Copyright (c) ${holder}\n\n${text}`
}

const noticeOf = (folder: string): string => {
  const manifest = manifestOf(folder)
  const { license, name, version } = manifest
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[sc]e|notice|copying)(?:[.-]|$)/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), "utf8").trim())
  const title = `${name} ${version} (${typeof license === "string" ? license : (license?.type ?? "see below")})`
  return [title, "-".repeat(title.length), "", texts.length === 0 ? withoutFile(manifest) : texts.join("\n\n")].join(
    "\n"
  )
}

/**
 * Returns the notices of all third-party packages in a bundle, by name. `without`: files that were
 * replaced in the bundle.
 */
export const noticesOf = ({ outputs }: Metafile, without: ReadonlyArray<RegExp> = []): string => {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 && file.includes("node_modules/") && !without.some((left) => left.test(file))
        ? [resolve(root, file)]
        : []
    )
  )
  const folders = [...new Set(files.map(packageOf))]
  const notices = new Map(
    folders.map((folder) => [`${manifestOf(folder).name}@${manifestOf(folder).version}`, noticeOf(folder)])
  )
  const head = "fiscal-connector carries code of the packages below, each under its own license."
  const sorted = [...notices].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
  return `${[head, ...sorted].join("\n\n\n")}\n`
}
