/**
 * Checks and lists the shipped packages:
 *
 *     node scripts/supply-chain.ts licenses      writes docs/licenses.md
 *     node scripts/supply-chain.ts sbom FOLDER   writes a CycloneDX file for each published package
 *     node scripts/supply-chain.ts tarballs      builds and packs everything twice
 *
 * Exits 1 if a license is not allowed, or if a byte of a tarball differs.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import * as SupplyChain from "./SupplyChain.ts"

const root = join(import.meta.dirname, "..")

const pnpm = (...args: ReadonlyArray<string>) =>
  void execFileSync("npx", ["--yes", "pnpm@12", ...args], { cwd: root, stdio: ["ignore", "ignore", "inherit"] })

/** Builds from scratch, and returns the digest of each tarball. */
const packed = (): ReadonlyMap<string, string> => {
  const folder = mkdtempSync(join(tmpdir(), "tarballs-"))
  try {
    for (const place of SupplyChain.published()) {
      rmSync(join(place, "dist"), { recursive: true, force: true })
      rmSync(join(place, "tsconfig.tsbuildinfo"), { force: true })
    }
    pnpm("build")
    pnpm("--recursive", "--filter", "./packages/*", "pack", "--pack-destination", folder)
    return new Map(
      readdirSync(folder)
        .toSorted()
        .map((name) => [
          name,
          createHash("sha256")
            .update(readFileSync(join(folder, name)))
            .digest("hex")
        ])
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [task = "", target = ""] = process.argv.slice(2)

if (task === "licenses") {
  writeFileSync(join(root, "docs/licenses.md"), SupplyChain.licensesPage())
  const refused = SupplyChain.refused(SupplyChain.thirdParty())
  for (const line of refused) console.error(`not allowed: ${line}`)
  if (refused.length > 0) process.exitCode = 1
} else if (task === "sbom" && target !== "") {
  mkdirSync(target, { recursive: true })
  for (const folder of SupplyChain.published()) {
    const file = join(target, `${basename(folder)}.cdx.json`)
    writeFileSync(file, SupplyChain.billOf(folder))
    console.log(file)
  }
} else if (task === "tarballs") {
  const [first, second] = [packed(), packed()]
  const differing = [...first].filter(([name, digest]) => second.get(name) !== digest)
  for (const [name, digest] of first) console.log(`${digest}  ${name}`)
  for (const [name] of differing) console.error(`differs: ${name}`)
  if (first.size === 0 || differing.length > 0) process.exitCode = 1
} else {
  console.error("say licenses, sbom FOLDER or tarballs")
  process.exitCode = 1
}
