/** Statements that answer with nothing: nobody has to wait for one inside a transaction. */
export const isWithoutRows = (sql: string): boolean =>
  /^\s*(begin|insert|update|delete)\b/i.test(sql) && !/\breturning\b/i.test(sql)
