/**
 * Detects sources that bypass the session, by planning, handing over or sending directly. Only
 * `session/` and the rooms it is built on may do so (docs/architecture.md#rooms). A test checks
 * every package and every example.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/**
 * Rooms of core that the session is built on, and the store. Files of these rooms that serve a job
 * outside its session, or that receive deliveries, use the session like a host.
 */
const below =
  /^packages\/core\/src\/(?:store|submission|session(?!\/(?:BulkDecision|ConfiguredAccount|Connector|OlderStore|OpenAccounts|Originals|WebhookCheck)\.ts)|sending(?!\/(?:Nudges|Webhook\w+)\.ts))\//

/** Decorates the store of a command to record if anything was sent; hands over no document. */
const decorating = /^packages\/cli\/src\/account\/RunEffect\.ts$/

/** Modules that only the session may use; their types are open to all. */
const closed = ["sending/Runner", "sending/HandingOver", "session/Planning", "session/Acceptance", "session/Consent"]

const path = String.raw`"[^"]*/(${closed.join("|")})\.ts"`

/**
 * Matches imports and re-exports of values, and dynamic imports. Every file is searched, so an
 * indirect import is found at its first step.
 */
const imported = new RegExp(
  String.raw`\b(?:import|export) (?!type\b)[^;"]*from ${path}|\bimport ${path}|\b(?:import|require)\(\s*${path}`,
  "g"
)

/** Store operations that only the session calls, under any name of the store. */
const operations = "handOver|beginImport|keepRest|acceptImport|beginAttempt"

const called = new RegExp(String.raw`\.(${operations})\(|\[\s*["'](${operations}|plan)["']\s*\]\(`, "g")

/**
 * Matches `const { plan, lanes: all } = yield* SubmissionStore`, and callbacks that destructure a
 * store.
 */
const takenApart = new RegExp(
  String.raw`\b(?:const|let) \{[^{}]*\b(${operations}|plan)\b[^{}]*\} = [^\n;]*\b(?:SubmissionStore|store)\b|SubmissionStore\.use\(\s*\(\s*\{[^{}]*\b(${operations}|plan)\b`,
  "g"
)

/**
 * Owners of a `plan` that is not the store's: the session, the plan of mappings, a connector of the
 * promise package, and the command's own planning.
 */
const planners = new Set(["Session", "Mappings", "fiscal", "connector", "Importing"])

const planned = /([\w$]+|[)\]])\s*\.plan\(/g

const strip = (text: string): string => text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")

/** Returns the ways in which a source bypasses the session; `file` is relative to the project. */
export const around = (file: string, text: string): ReadonlyArray<string> => {
  if (below.test(file) || decorating.test(file)) return []
  const source = strip(text)
  const named = [imported, called, takenApart].flatMap((pattern) =>
    [...source.matchAll(pattern)].map((found) => found.slice(1).find((name) => name !== undefined))
  )
  const plans = [...source.matchAll(planned)].filter(([, of]) => !planners.has(of!)).map(([, of]) => `plan of ${of}`)
  return [...named, ...plans].map((what) => `${file} uses ${what}`)
}

/** Returns all sources of the packages, the examples and the simulator. */
export const sources = (): ReadonlyArray<readonly [file: string, text: string]> => {
  const folders = [
    ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`),
    "examples",
    "proofs/simulated"
  ]
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("node_modules") && !file.endsWith(".test.ts"))
      .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), "utf8")] as const)
  )
}
