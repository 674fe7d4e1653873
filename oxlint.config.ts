import { readdirSync } from "node:fs"
import { join, posix } from "node:path"
import { defineConfig, type OxlintOverride } from "./tools/lint/index.ts"
import { rooms } from "./scripts/Rooms.ts"

const adapters = readdirSync(join(import.meta.dirname, "packages")).filter((name) => name.startsWith("adapter-"))

/**
 * Allowed imports of each package: adapters → kit → core; the sandbox imports none; the command
 * composes all packages.
 */
const packages: Record<string, ReadonlyArray<string>> = {
  core: [],
  ...Object.fromEntries(adapters.map((name) => [name, ["adapter-kit", "core"]])),
  "adapter-kit": ["core", "sandbox"],
  // test servers of the kinds of sources
  "adapter-odoo-like": ["adapter-kit", "core", "sandbox"],
  "adapter-xero-like": ["adapter-kit", "core", "sandbox"],
  "adapter-xlsx": ["adapter-csv", "core"],
  promise: ["core"],
  testing: ["core", "promise", "sandbox"],
  ui: ["core"],
  "create-fiscal-adapter": [],
  sandbox: []
}

const forbid = (files: string, patterns: ReadonlyArray<{ group: Array<string>; message: string }>): OxlintOverride => ({
  files: [files],
  rules: { "no-restricted-imports": ["error", { patterns: [barrels, declarations, ...patterns] }] }
})

const declarations = {
  group: ["@fiscal-connector/core/types/**"],
  message: "Only the compiler names these, in declarations: import the module's door (docs/decisions/010)."
}

const closed = {
  group: ["@fiscal-connector/core/host", "@fiscal-connector/core/host/**"],
  message: "This door is only for the hosts of this repository: use a public one (docs/decisions/010)."
}

const barrels = {
  group: ["@effect/platform-node"],
  message: "The barrel costs a second at start: import the module by its path."
}

/** Returns the forbidden imports of other packages; the command may import all. */
const outside = (name: string) => {
  const open = packages[name]
  if (open === undefined) return []
  const group = Object.keys(packages).flatMap((other) =>
    other === name || open.includes(other) ? [] : [`@fiscal-connector/${other}`, `@fiscal-connector/${other}/*`]
  )
  return [
    { group, message: `${name} may not import this package (docs/architecture.md#packages).` },
    ...(name.startsWith("adapter-")
      ? [
          closed,
          {
            // the kit's JSON parser is only for the adapters published with it
            group: ["@fiscal-connector/*/unstable/**", "!@fiscal-connector/adapter-kit/unstable/**"],
            message: "This promises nothing: use a public entry point (docs/decisions/010)."
          }
        ]
      : [])
  ]
}

/** Returns the relative path of a room from another: `../finding`, `./exchange`, `..`. */
const from = (room: string, other: string): string => {
  const path = posix.relative(room, other)
  return path.startsWith(".") ? path : `./${path}`
}

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
    // the rule is about windows; this code has only threads
    "unicorn/require-post-message-target-origin": "off",
    "require-yield": "off",
    "no-shadow": "off",
    "unicorn/consistent-function-scoping": "off",
    "no-underscore-dangle": "off",
    "oxc/no-map-spread": "off"
  },
  overrides: [
    { files: ["packages/*/src/**"], rules: { "no-console": "error" } },
    // an adapter is the default export of its module
    {
      files: [
        "*.config.ts",
        "site/.vitepress/config.ts",
        "packages/create-fiscal-adapter/template/**",
        "packages/cli/test/findings/own/adapter.ts",
        "scripts/consumers/own-kind/erp.mjs",
        // required by jest
        "examples/testing/jest/*.js"
      ],
      rules: { "import/no-default-export": "off" }
    },
    // Express 5 passes on rejections of async handlers; a module of NestJS is a class
    {
      files: ["examples/**"],
      rules: { "oxc/no-async-endpoint-handlers": "off", "typescript/no-extraneous-class": "off" }
    },
    forbid("packages/*/src/**", []),
    forbid("examples/**", [closed]),
    forbid("packages/create-fiscal-adapter/template/**", [closed]),
    ...Object.keys(packages).map((name) => forbid(`packages/${name}/src/**`, outside(name))),
    { files: ["packages/*/src/**", "proofs/simulated/**"], rules: { "import/no-cycle": "error" } },
    ...Object.entries(rooms).flatMap(([name, ofPackage]) =>
      Object.entries(ofPackage).map(([room, { imports }]) =>
        forbid(`packages/${name}/src/${room}/*.ts`, [
          ...outside(name),
          {
            group: [...Object.keys(ofPackage), "."]
              .filter((other) => other !== room && !imports.includes(other))
              .map((other) => `${from(room, other)}/*.ts`),
            message: `The room ${room} may not import this room (scripts/Rooms.ts).`
          }
        ])
      )
    )
  ]
})
