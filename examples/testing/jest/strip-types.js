/** A transform of jest: takes the types out of a module. */
import { stripTypeScriptTypes } from "node:module"

export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) }
