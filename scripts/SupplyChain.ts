/** Third-party packages of the published packages: licenses, and a CycloneDX bill of materials. */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "..")

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly description?: string
  readonly license?: string | { readonly type: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  /** Packages bundled into the package's own file (scripts/artefact). */
  readonly bundled?: ReadonlyArray<string>
}

export interface Component {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly folder: string
  /** Dependencies as `name@version`. */
  readonly dependsOn: ReadonlyArray<string>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

/** Finds an installed package like Node: in the nearest node_modules upwards. */
const installed = (name: string, from: string): string | undefined => {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const place = join(folder, "node_modules", name)
    if (existsSync(join(place, "package.json"))) return realpathSync(place)
  }
  return undefined
}

const idOf = ({ name, version }: { readonly name: string; readonly version: string }): string => `${name}@${version}`

/** Detects the license from its text, for manifests that name none. */
const inText = (folder: string): string => {
  const file = readdirSync(folder).find((name) => /^licen[sc]e(?:\.|$)/i.test(name))
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8")
  return /Permission is hereby granted, free of charge/.test(text) ? "MIT" : "unknown"
}

const licenseOf = ({ license }: Manifest, folder: string): string =>
  typeof license === "string" ? license : (license?.type ?? inText(folder))

/**
 * Returns the package and everything installed with it, the package first. Optional dependencies
 * count if installed.
 */
export const componentsOf = (folder: string): ReadonlyArray<Component> => {
  const found = new Map<string, Component>()
  const visit = (place: string): string => {
    const manifest = manifestOf(place)
    const id = idOf(manifest)
    if (found.has(id)) return id
    const wanted = { ...manifest.peerDependencies, ...manifest.optionalDependencies, ...manifest.dependencies }
    const places = [...Object.keys(wanted), ...(manifest.bundled ?? [])]
      .toSorted()
      .flatMap((name) => installed(name, place) ?? [])
    const { name, version } = manifest
    const self = { name, version, license: licenseOf(manifest, place), folder: place }
    // added before its dependencies, because packages may depend on each other in a circle
    found.set(id, { ...self, dependsOn: [] })
    found.set(id, { ...self, dependsOn: places.map(visit) })
    return id
  }
  visit(realpathSync(folder))
  return [...found.values()]
}

/** Returns the folders of the published packages. */
export const published = (): ReadonlyArray<string> =>
  readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name))
    .filter((folder) => existsSync(join(folder, "package.json")) && manifestOf(folder).private !== true)

/** Licenses that allow use and redistribution with the notice kept. */
const allowed = new Set([
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "MIT-0",
  "Unlicense"
])

const isAllowed = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((one) => allowed.has(one.trim())))

/** Returns all third-party packages of the published packages, by name. */
export const thirdParty = (): ReadonlyArray<Component> => {
  const own = new Set(published().map((folder) => manifestOf(folder).name))
  const all = new Map(published().flatMap((folder) => componentsOf(folder).map((one) => [idOf(one), one] as const)))
  return [...all.values()].filter(({ name }) => !own.has(name)).toSorted((a, b) => idOf(a).localeCompare(idOf(b), "en"))
}

export const refused = (components: ReadonlyArray<Component>): ReadonlyArray<string> =>
  components.flatMap((one) => (isAllowed(one.license) ? [] : [`${idOf(one)}: ${one.license}`]))

const purl = ({ name, version }: Component): string => `pkg:npm/${name.replace("@", "%40")}@${version}`

/**
 * Returns the bill of materials of one package, CycloneDX 1.6. Equal packages give equal bytes: no
 * date, no serial number.
 */
export const billOf = (folder: string): string => {
  const [self, ...others] = componentsOf(folder)
  const component = (one: Component, type: "library" | "application") => ({
    type,
    "bom-ref": purl(one),
    name: one.name,
    version: one.version,
    purl: purl(one),
    licenses: [/^[\w.-]+$/.test(one.license) ? { license: { id: one.license } } : { expression: one.license }]
  })
  const refs = new Map([self!, ...others].map((one) => [idOf(one), purl(one)]))
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: component(self!, "application") },
    components: others.map((one) => component(one, "library")),
    dependencies: [self!, ...others].map((one) => ({
      ref: purl(one),
      dependsOn: one.dependsOn.map((id) => refs.get(id)!)
    }))
  }
  return `${JSON.stringify(bill, undefined, 2)}\n`
}

/** Returns the documentation page that lists the licenses. */
export const licensesPage = (): string =>
  [
    "# Licenses of dependencies",
    "",
    "Reference: every third-party package that comes with a published package of ours. `node scripts/supply-chain.ts licenses` writes this page; a test fails",
    "while it is stale, or when a package has a license that does not allow redistribution.",
    "",
    "| package | license |",
    "|---|---|",
    ...new Set(thirdParty().map((one) => `| ${one.name} | ${one.license} |`)),
    ""
  ].join("\n")
