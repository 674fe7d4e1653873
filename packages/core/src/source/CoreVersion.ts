/** Version of this package, as in package.json. An adapter states the version of its build. */
export const coreVersion = "0.2.0"
