/** Version of the command, equal to the version in package.json. */
export const version = "0.2.0"
