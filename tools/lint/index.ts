/** What the configuration of lint is written with. */
export { defineConfig, type OxlintOverride } from "oxlint"
