/**
 * Checks the registry metadata of each published package, and the packages that an installation
 * adds.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")
const text = (...path: ReadonlyArray<string>) => readFileSync(join(root, ...path), "utf8")
const home = "https://github.com/fiscal-connector/fiscal-connector"

const published = readdirSync(join(root, "packages"))
  .map((folder) => ({ folder, ...JSON.parse(text("packages", folder, "package.json")) }))
  .filter((one) => one.private !== true)

/**
 * Returns the packages that the sources import when loaded; excludes types and packages named in
 * `import()`, which are loaded later.
 */
const loadedBy = (folder: string): ReadonlySet<string> =>
  new Set(
    readdirSync(join(root, "packages", folder, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) =>
        Array.from(
          text("packages", folder, "src", file).matchAll(
            /^(?:import|export) (?!type )[^"]*?from "((?:@[^/"]+\/)?[a-z][^/":]*)(?:\/[^"]*)?"$/gm
          ),
          ([, name]) => name!
        )
      )
  )

describe.each(published)("the package $name", ({ folder, ...manifest }) => {
  it("states its repository and its issue tracker", () => {
    assert.deepStrictEqual(manifest.repository, {
      type: "git",
      url: `git+${home}.git`,
      directory: `packages/${folder}`
    })
    assert.strictEqual(manifest.homepage, `${home}/tree/main/packages/${folder}#readme`)
    assert.strictEqual(manifest.bugs, `${home}/issues`)
    assert.isNotEmpty(manifest.keywords)
    assert.isNotEmpty(manifest.description)
    assert.strictEqual(manifest.license, "MIT")
    assert.strictEqual(manifest.engines.node, ">=22.19")
  })

  it("publishes each entry point as a built file", () => {
    const built = Object.entries<string | { readonly types: string } | null>(manifest.publishConfig?.exports ?? {})
    assert.deepStrictEqual(
      built.filter(
        ([, file]) => file !== null && !(typeof file === "string" ? file : file.types).startsWith("./dist/")
      ),
      []
    )
  })

  it("has a README that begins with its name and shows the installation", () => {
    const page = text("packages", folder, "README.md")
    assert.strictEqual(page.split("\n")[0], `# ${manifest.name}`)
    const install = String(manifest.name).startsWith("create-")
      ? `npm create ${String(manifest.name).slice("create-".length)} `
      : `npm install (--[a-z-]+ )?${manifest.name}( .*)?\n`
    assert.match(page, new RegExp(install))
  })

  it("depends on Effect's Node packages and pdfkit only if it imports them", () => {
    const loaded = loadedBy(folder)
    for (const name of ["@effect/platform-node", "pdfkit"]) {
      const asked =
        name in { ...manifest.dependencies, ...manifest.peerDependencies } || manifest.bundled?.includes(name) === true
      assert.strictEqual(asked, loaded.has(name), name)
    }
  })

  it("is packed and checked in CI", () => {
    const [, filters] = text(".ci/run").match(/--recursive ((?:--filter '\S+' )+)pack /)!
    assert.include(filters, "--filter './packages/*'")
    assert.notInclude(filters, `!./packages/${folder}'`)
  })
})

it("the command, the facade and the kit load the sandbox only where a sandbox starts", () => {
  for (const folder of ["promise", "adapter-kit"]) assert.isFalse(loadedBy(folder).has("@fiscal-connector/sandbox"))
  const loading = readdirSync(join(root, "packages/cli/src"), { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      file.endsWith(".ts") &&
      /^import (?!type )[^"]*from "@fiscal-connector\/sandbox/m.test(text("packages/cli/src", file))
  )
  assert.sameMembers(loading, ["account/SandboxFile.ts", "command/SandboxCommand.ts"])
})
