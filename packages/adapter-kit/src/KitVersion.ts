/** The version of what an adapter and the command that loads it agree on. */
export const kitVersion = 1
