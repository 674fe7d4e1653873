/** The version of this package, as its package.json says it: an adapter says which one it was made with. */
export const coreVersion = "0.1.0"
