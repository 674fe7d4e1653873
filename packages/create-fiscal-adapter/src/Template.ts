import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"

const folder = join(import.meta.dirname, "../template")

export const template: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile() || /(?:^|[\\/])node_modules(?:[\\/]|$)/.test(relative(folder, entry.parentPath))) return []
    const file = join(entry.parentPath, entry.name)
    return [[relative(folder, file).split(sep).join("/"), readFileSync(file, "utf8")] as const]
  })
)
