/**
 * Attempts that count for the mark of a document (dating/Mark), for the ledger and the lane alike.
 */
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * SQL condition for attempts `a` whose receipt date may have reached the device. Excludes certainly
 * unprocessed attempts, and attempts that an operator has ruled out. The caller excludes the
 * document's own attempts.
 */
export const mayHaveReached = (sql: Pick<SqlClient, "literal">) =>
  sql.literal("a.possibly_processed = 1 and a.ruled_out = 0")
