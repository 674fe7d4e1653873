/**
 * Public surface of every published package for `docs/api/PACKAGE.md`: each entry point and each
 * exported name with kind and signature in one row. Based on the compiler's declarations, so that
 * inferred types are included.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { closed, namespacesOf } from "./EntryPointList.ts"
import { binOf, install } from "./Tools.ts"

const root = join(import.meta.dirname, "..")
const packages = join(root, "packages")

export interface Export {
  readonly name: string
  readonly kind: string
  readonly signature: string
  readonly documented: boolean
}

/** A top-level statement of a declaration file; `doc` is true after a docstring. */
interface Statement {
  readonly doc: boolean
  readonly text: string
}

/** Matches a comment, a string, or one character. Brackets count only as single characters. */
const token =
  /\/\*\*[\s\S]*?\*\/|\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|=>|[\s\S]/g

/**
 * Splits declarations into statements. A statement ends with a semicolon, or with the closing brace
 * of a body; the brace of an import list does not end a statement.
 */
export const statements = (declarations: string): ReadonlyArray<Statement> => {
  const found: Array<Statement> = []
  let [text, depth, doc] = ["", 0, false]
  for (const [piece] of declarations.matchAll(token)) {
    const comment = piece.startsWith("/*") || piece.startsWith("//")
    if (comment) {
      if (depth === 0 && text.trim() === "") doc = piece.startsWith("/**")
      continue
    }
    if (text.trim() === "" && piece.trim() === "") continue
    text += piece
    if ("{([".includes(piece)) depth++
    if ("})]".includes(piece)) depth--
    const whole =
      depth === 0 &&
      (piece === ";" ||
        (piece === "}" &&
          /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|namespace|global|enum)\b/.test(text)))
    if (!whole) continue
    found.push({ doc, text: text.replaceAll(/\s+/g, " ").replace(/;$/, "").trim() })
    text = ""
    doc = false
  }
  return found
}

const declared = /^export (?:declare )?(?:abstract )?(const|function|class|interface|type|namespace|enum|let) ([\w$]+)/
const listed = /^export (?:type )?\{(.*)\}(?: from ".*")?$/
const grouped = /^export \* as (\w+) from/

/** Returns the exports of a declaration file, by name. */
export const exportsOf = (declarations: string): ReadonlyArray<Export> => {
  const all = statements(declarations)
  // a class may extend a preceding constant, which then has the type
  const bases = new Map(
    all.flatMap(({ text }) =>
      (/^declare const (\w+_base): (.*)$/.exec(text)?.slice(1, 3) as [string, string] | undefined)
        ? [/^declare const (\w+_base): (.*)$/.exec(text)!.slice(1, 3) as [string, string]]
        : []
    )
  )
  return all.flatMap(({ doc, text }): ReadonlyArray<Export> => {
    const [, kind, name] = declared.exec(text) ?? []
    if (kind !== undefined && name !== undefined) {
      const signature = text
        .replace(/^export (?:declare )?/, "")
        .replaceAll(/\b\w+_base\b/g, (base) => bases.get(base) ?? base)
      return [{ name, kind, signature, documented: doc }]
    }
    const [, module] = grouped.exec(text) ?? []
    if (module !== undefined)
      return [{ name: module, kind: "module", signature: text.replace(/^export /, ""), documented: true }]
    const [, names = ""] = listed.exec(text) ?? []
    return names
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "")
      .map((one) => ({
        name: one
          .replace(/^type /, "")
          .split(" as ")
          .at(-1)!,
        kind: "re-export",
        signature: one,
        documented: true
      }))
  })
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | null>>
}

/** Returns the published packages with entry points. */
const published = (): ReadonlyArray<
  readonly [folder: string, manifest: Manifest & { readonly exports: Readonly<Record<string, string | null>> }]
> =>
  readdirSync(packages)
    .toSorted()
    .flatMap((folder) => {
      const manifest: Manifest = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"))
      const { exports } = manifest
      return manifest.private === true || exports === undefined ? [] : [[folder, { ...manifest, exports }] as const]
    })

/**
 * Compiles the declarations of all packages into a temporary folder, and deletes the folder
 * afterwards.
 */
const withDeclarations = <A>(use: (declarationsOf: (folder: string, source: string) => string) => A): A => {
  const folder = mkdtempSync(join(tmpdir(), "api-"))
  try {
    const config = join(folder, "tsconfig.json")
    const compilerOptions = {
      declaration: true,
      emitDeclarationOnly: true,
      // the check is `pnpm types`
      noCheck: true,
      noEmit: false,
      rootDir: packages,
      outDir: join(folder, "out"),
      typeRoots: [join(root, "node_modules/@types")]
    }
    writeFileSync(
      config,
      JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions, include: [join(packages, "*/src")] })
    )
    install("types")
    const { status, stdout } = spawnSync(join(binOf("types"), "tsc"), ["-p", config], { encoding: "utf8" })
    if (status !== 0) throw new Error(stdout)
    return use((name, source) => readFileSync(join(folder, "out", name, source.replace(/\.ts$/, ".d.ts")), "utf8"))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface ApiReport {
  /** Texts by file name, relative to the repository. */
  readonly pages: ReadonlyMap<string, string>
  readonly modules: number
  readonly names: number
  /** Names without a docstring, such as `core ./submission/Submission: State`. */
  readonly undocumented: ReadonlyArray<string>
}

const head = (name: string) => `# ${name}

Every public entry point and what it exports. Written by \`pnpm run api\`; a test fails while it is stale, so that no change of it goes unnoticed.
What is imported from \`host\` or \`unstable/\` is no part of it ([decision 010](../decisions/010-public-doors.md)).
`

export const report = (): ApiReport =>
  withDeclarations((declarationsOf) => {
    const undocumented: Array<string> = []
    let [modules, names] = [0, 0]
    const pages = published().map(([folder, { exports, name }]): readonly [string, string] => {
      const entryPoints = Object.entries(exports).flatMap(([entryPoint, file]) =>
        typeof file !== "string" ||
        entryPoint.includes("*") ||
        closed.test(entryPoint) ||
        !existsSync(join(packages, folder, file))
          ? []
          : [[entryPoint, file] as const]
      )
      const rows = (entryPoint: string, file: string, level: string): string => {
        const found = exportsOf(declarationsOf(folder, file)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
        const behind = level === "##" && folder !== "core" ? [] : namespacesOf(join(packages, folder, file))
        const own = found.filter(({ name }) => !behind.some(([module]) => module === name))
        names += own.length
        const documented = new Set(own.flatMap(({ documented, name }) => (documented ? [name] : [])))
        undocumented.push(
          ...own.flatMap(({ name }) => (documented.has(name) ? [] : [`${folder} ${entryPoint}: ${name}`]))
        )
        const list = own.map(({ kind, name, signature }) => `- ${kind} **${name}**: \`${signature}\``)
        return [
          `\n${level} ${entryPoint}\n`,
          ...(list.length === 0 ? [] : [`\n${list.join("\n")}\n`]),
          ...behind.map(([name, module]) => rows(name, `./src/${module}`, `${level}#`))
        ].join("")
      }
      const sections = entryPoints.map(([entryPoint, file]) => {
        modules++
        return rows(entryPoint, file, "##")
      })
      return [`docs/api/${folder}.md`, head(name) + sections.join("")]
    })
    return { pages: new Map(pages), modules, names, undocumented: [...new Set(undocumented)] }
  })
