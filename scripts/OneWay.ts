/**
 * Ways around the session: sources that plan, hand over or send by themselves. Outside `session/`, and what it is made of, nothing does
 * (docs/architecture.md#rooms); a test holds every package and every example to it.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** Rooms of core that the session is made of, or that are the store itself and its checks. */
const below = /^packages\/core\/src\/(session|engine|store|submission|testing)\//

/** Decorates the store of a command, so that it knows whether anything was sent; hands nothing over by itself. */
const decorating = /^packages\/cli\/src\/account\/Deed\.ts$/

/** Modules that only the session may use; types of them may be named by everybody. */
const closed = ["engine/Runner", "engine/HandingOver", "session/Planning", "session/Acceptance", "session/Consent"]

const path = String.raw`"[^"]*/(?:unstable/)?(${closed.join("|")})(?:\.ts)?"`

/** Imports and re-exports of values, and loading at run time. Every file is searched, so a way by several files is found at its first step. */
const imported = new RegExp(
  String.raw`\b(?:import|export) (?!type\b)[^;"]*from ${path}|\bimport ${path}|\b(?:import|require)\(\s*${path}`,
  "g"
)

/** What only the session does with a store, under whatever name a host has the store. */
const operations = "handOver|beginImport|keepRest|acceptImport|beginAttempt"

const called = new RegExp(String.raw`\.(${operations})\(|\[\s*["'](${operations}|plan)["']\s*\]\(`, "g")

/** `const { plan, lanes: all } = yield* SubmissionStore`, and callbacks that take a store apart. */
const takenApart = new RegExp(
  String.raw`\b(?:const|let) \{[^{}]*\b(${operations}|plan)\b[^{}]*\} = [^\n;]*\b(?:SubmissionStore|store)\b|SubmissionStore\.use\(\s*\(\s*\{[^{}]*\b(${operations}|plan)\b`,
  "g"
)

/** Whose `plan` is not the store's: the session, the plan of mappings, a connector of the promise package, and the command's own planning. */
const planners = new Set(["Session", "Mappings", "fiscal", "connector", "Importing"])

const planned = /([\w$]+|[)\]])\s*\.plan\(/g

const strip = (text: string): string => text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")

/** What of a source goes around the session, in words; `file` is relative to the project. */
export const around = (file: string, text: string): ReadonlyArray<string> => {
  if (below.test(file) || decorating.test(file)) return []
  const source = strip(text)
  const named = [imported, called, takenApart].flatMap((pattern) =>
    [...source.matchAll(pattern)].map((found) => found.slice(1).find((name) => name !== undefined))
  )
  const plans = [...source.matchAll(planned)].filter(([, of]) => !planners.has(of!)).map(([, of]) => `plan of ${of}`)
  return [...named, ...plans].map((what) => `${file} uses ${what}`)
}

/** Every source of the packages and the examples. */
export const sources = (): ReadonlyArray<readonly [file: string, text: string]> => {
  const folders = [...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`), "examples"]
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("node_modules") && !file.endsWith(".test.ts"))
      .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), "utf8")] as const)
  )
}
