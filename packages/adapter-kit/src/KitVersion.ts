/** Version of the interface between an adapter and the command that loads the adapter. */
export const kitVersion = 1
