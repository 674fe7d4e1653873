/** Transform for jest that strips the types of a module. */
import { stripTypeScriptTypes } from "node:module"

export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) }
