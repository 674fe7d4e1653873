import { defineConfig, type OxlintOverride } from "oxlint"

/** Which rooms of core a room may import; a room not named here may import none. docs/architecture.md#rooms. */
const rooms: Record<string, ReadonlyArray<string>> = {
  document: [],
  finding: [],
  source: ["document", "finding"],
  gateway: ["document", "finding"],
  mapping: ["document", "finding", "gateway"],
  translate: ["document", "finding", "source", "mapping"],
  preflight: ["document", "finding", "source", "mapping", "translate", "gateway"],
  submission: ["document", "finding", "source", "gateway", "translate", "preflight"],
  import: ["document", "finding", "source", "gateway", "mapping", "translate", "preflight", "submission"],
  connector: ["document", "finding", "source", "gateway", "mapping", "translate", "preflight", "submission", "import"],
  node: ["document", "finding", "source", "gateway", "submission", "import", "connector"],
  testing: ["document", "finding", "source", "gateway", "mapping", "translate", "preflight", "submission", "connector"]
}

/** The rooms of adapter-csv, in the order data flows: a room may import those before it and none after. */
const csvRooms = ["scan", "finding", "values", "columns", "formats", "detect", "rows", "documents", "propose"]

/** Which packages a package may import: adapters → core; the sandbox stands alone; the command line composes all. */
const packages: Record<string, ReadonlyArray<string>> = {
  core: [],
  "adapter-csv": ["core"],
  "adapter-xero-like": ["core"],
  "adapter-xlsx": ["core", "adapter-csv"],
  sandbox: []
}

const forbid = (files: string, patterns: ReadonlyArray<{ group: Array<string>; message: string }>): OxlintOverride => ({
  files: [files],
  rules: { "no-restricted-imports": ["error", { patterns: [barrels, ...patterns] }] }
})

const barrels = {
  group: ["@effect/platform-node"],
  message: "The barrel costs a second at start: import the module by its path."
}

const outside = (name: string) => ({
  group: Object.keys(packages).flatMap((other) =>
    other === name || packages[name]!.includes(other)
      ? []
      : [`@fiscal-connector/${other}`, `@fiscal-connector/${other}/*`]
  ),
  message: `${name} may not import this package (docs/architecture.md#packages).`
})

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  ignorePatterns: ["**/dist/**", "**/node_modules/**"],
  rules: {
    "typescript/consistent-type-imports": "error",
    "typescript/array-type": ["error", { default: "generic", readonly: "generic" }],
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "off",
    "import/no-default-export": "error",
    "import/no-unassigned-import": "off",
    "no-await-in-loop": "off",
    "unicorn/no-array-sort": "error",
    "require-yield": "off",
    "no-shadow": "off",
    "unicorn/consistent-function-scoping": "off",
    "no-underscore-dangle": "off",
    "oxc/no-map-spread": "off"
  },
  overrides: [
    { files: ["packages/*/src/**"], rules: { "no-console": "error" } },
    { files: ["*.config.ts"], rules: { "import/no-default-export": "off" } },
    forbid("packages/*/src/**", []),
    ...Object.keys(packages).map((name) => forbid(`packages/${name}/src/**`, [outside(name)])),
    ...Object.entries(rooms).map(([room, open]) =>
      forbid(`packages/core/src/${room}/**`, [
        outside("core"),
        {
          // the ledger port of preflight fails as the store does that implements it
          group: [
            ...Object.keys(rooms)
              .filter((other) => other !== room && !open.includes(other))
              .map((other) => `**/${other}/*`),
            "!**/submission/StoreError.ts"
          ],
          message: `The room ${room} may not import this room (docs/architecture.md#rooms).`
        },
        ...(room === "gateway" || room === "submission"
          ? []
          : [{ group: ["**/gateway/internal/*"], message: "Only a permission to send leads to a submission." }])
      ])
    ),
    { files: ["packages/adapter-csv/src/**"], rules: { "import/no-cycle": "error" } },
    ...csvRooms.map((room, i) =>
      forbid(`packages/adapter-csv/src/${room}/**`, [
        outside("adapter-csv"),
        {
          group: [...csvRooms.slice(i + 1).map((later) => `../${later}/*`), "../*.ts"],
          message: `The room ${room} may not import this: data flows ${csvRooms.join(", ")}.`
        }
      ])
    )
  ]
})
