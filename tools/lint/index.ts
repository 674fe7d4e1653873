/** Types and functions for the configuration of lint. */
export { defineConfig, type OxlintOverride } from "oxlint"
