/** Attempts that count for the mark of a document (ledger/Mark), for the ledger and for the lane alike. */
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * Of attempts `a`: those whose receipt date may have reached the device. Certainly unprocessed ones have not, and one that a person has ruled out
 * has not, either. Whoever asks for a document's mark leaves out its own.
 */
export const mayHaveReached = (sql: Pick<SqlClient, "literal">) =>
  sql.literal("a.possibly_processed = 1 and a.ruled_out = 0")
