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

const imported = new RegExp(
  String.raw`import (?!type)[^;"]*from "[^"]*/(?:unstable/)?(${closed.join("|")})(?:\.ts)?"|import\("[^"]*/(${closed.join("|")})(?:\.ts)?"\)`,
  "g"
)

const called =
  /\b(?:store|SubmissionStore)\b[^\n]{0,60}\.(plan|handOver|beginImport|keepRest|acceptImport|beginAttempt)\(/g

/** What of a source goes around the session, in words; `file` is relative to the project. */
export const around = (file: string, text: string): ReadonlyArray<string> =>
  below.test(file) || decorating.test(file)
    ? []
    : [...text.matchAll(imported), ...text.matchAll(called)].map(
        ([, module, dynamic]) => `${file} uses ${module ?? dynamic}`
      )

/** Every source of the packages and the examples. */
export const sources = (): ReadonlyArray<readonly [file: string, text: string]> => {
  const folders = [...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`), "examples"]
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("node_modules") && !file.endsWith(".test.ts"))
      .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), "utf8")] as const)
  )
}
