/** Returns true for statements without result rows, which need no wait inside a transaction. */
export const isWithoutRows = (sql: string): boolean =>
  /^\s*(begin|insert|update|delete)\b/i.test(sql) && !/\breturning\b/i.test(sql)
