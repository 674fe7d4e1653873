/**
 * Writes the bundles to publish, after the compiler has written the declarations: the command, the
 * promise package with core and Effect, and the modules that the testing package loads for promise
 * users.
 *
 *     pnpm build
 *     node scripts/build.ts --command      only the command, which needs no compiler
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { command } from "./artefact/Command.ts"
import { facade, gatewayOfTests } from "./artefact/Facade.ts"

const packages = join(import.meta.dirname, "../packages")

const write = (folder: string, files: Iterable<readonly [name: string, text: string]>): void => {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (/\.m?js$/.test(name)) rmSync(join(folder, name))
  let size = 0
  for (const [name, text] of files) {
    writeFileSync(join(folder, name), text, { mode: name.endsWith(".mjs") ? 0o755 : 0o644 })
    size += text.length
  }
  process.stdout.write(`${folder}: ${(size / 1e6).toFixed(1)} MB\n`)
}

write(join(packages, "cli/dist"), Object.entries((await command()).files))

const writePromise = async (): Promise<void> => {
  const promise = join(packages, "promise/dist")
  write(promise, await facade())
  // the only module of core whose types a job sees; it imports no other module
  copyFileSync(join(packages, "core/dist/source/DocumentInput.d.ts"), join(promise, "DocumentInput.d.ts"))
  const ofDoor = /import type \{ DocumentInput(?: as (\w+))? \} from "@fiscal-connector\/core\/adapter"/g
  for (const name of readdirSync(promise)) {
    if (!name.endsWith(".d.ts")) continue
    const text = readFileSync(join(promise, name), "utf8")
    writeFileSync(
      join(promise, name),
      text.replaceAll(ofDoor, (_, as = "DocumentInput") => `import type * as ${as} from "./DocumentInput.js"`)
    )
  }
}

const writeTesting = async (): Promise<void> => {
  const internal = join(packages, "testing/dist/internal")
  for (const name of readdirSync(internal)) if (/^(?:part-|testGateway\.js)/.test(name)) rmSync(join(internal, name))
  for (const [name, text] of await gatewayOfTests()) writeFileSync(join(internal, name), text)
}

if (!process.argv.includes("--command")) {
  await writePromise()
  await writeTesting()
}
