/** The driver's own client, for comparison: it waits for every statement. */
export { make } from "@effect/sql-pg/PgClient"
