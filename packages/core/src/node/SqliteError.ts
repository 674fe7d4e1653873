import * as SqlError from "effect/sql/SqlError"

export const sqlError = (cause: unknown, operation: string): SqlError.SqlError =>
  new SqlError.SqlError({
    // node:sqlite reports the extended result code as `errcode`; the classifier reads `errno`
    reason: SqlError.classifySqliteError(
      cause instanceof Error && "errcode" in cause ? Object.assign(cause, { errno: cause.errcode }) : cause,
      { message: `SQLite ${operation} failed`, operation }
    )
  })
