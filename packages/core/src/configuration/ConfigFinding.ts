import type { Schema } from "effect"
import { docsPage } from "../finding/DocsPage.ts"
import * as Finding from "../finding/Finding.ts"
import { catalogue } from "../finding/FindingCode.ts"
import * as SchemaProblems from "../finding/SchemaProblems.ts"

const notUsable = "Nothing is sent for the account."

export const ConfigFinding = catalogue({
  CONFIG_UNREADABLE: {
    severity: "error",
    meaning: "The configuration cannot be read",
    consequence: "No account of the file can be used.",
    fix: "Name a file that exists and that you may read."
  },
  CONFIG_SYNTAX: {
    severity: "error",
    meaning: "The configuration is not valid JSON",
    consequence: "No account of the file can be used.",
    fix: "Correct the place shown. Comments and a comma after the last entry are allowed."
  },
  CONFIG_SHAPE: {
    severity: "error",
    meaning: "A setting has the wrong form",
    consequence:
      "The account or source with the setting is not used. If the setting belongs to neither, no account is used.",
    fix: `Write the setting as in ${docsPage("configuration")}.`
  },
  CONFIG_NOT_RELOADED: {
    severity: "error",
    meaning: "The new configuration cannot be used",
    consequence: "The running process was asked to reload the configuration (SIGHUP), and still uses the previous one.",
    fix: "Correct the named setting, check the whole configuration, and send SIGHUP again."
  },
  CONFIG_STAT9_OUTDATED: {
    severity: "warning",
    meaning: "The switch STAT-9 of the account has a value of an earlier version",
    consequence: "The value decides nothing. A failure without the code of a receipt rule is a result after 20 hours.",
    fix: 'Set STAT-9 to a duration such as "20 hours", to "never" or to "any", or remove it.'
  },
  CONFIG_NEEDS_RESTART: {
    severity: "warning",
    meaning: "A change of the configuration takes effect only after a restart",
    consequence:
      "The running process keeps its store. If the new configuration names another store, no part of the new configuration is used.",
    fix: "Stop the process and start it again."
  },
  CONFIG_SECRET_INSIDE: {
    severity: "error",
    meaning: "The configuration file contains a secret",
    consequence: `Every user who may read or copy the file has the secret. ${notUsable}`,
    fix: "Move the secret into a separate file (keyFile, secretFile, formerSecretFiles or passwordFile) or into the environment. If other users could read the file, request a new secret."
  },
  CONFIG_NO_KEY: {
    severity: "error",
    meaning: "The account has no key",
    consequence: notUsable,
    fix: "Name a file that contains only the key in keyFile, or set the variable that is shown."
  },
  CONFIG_SECRET_UNUSABLE: {
    severity: "error",
    meaning: "A key or secret cannot be used",
    consequence: notUsable,
    fix: "Write only the key or the secret into the file or the variable. The path of a file is relative to the configuration."
  },
  CONFIG_NAMES_CLASH: {
    severity: "error",
    meaning: "Two accounts have the same environment variables",
    consequence: `One account would use the key of the other. ${notUsable}`,
    fix: "Give one account a name that differs in more than capitals and punctuation."
  },
  CONFIG_RESEND_UNSAFE: {
    severity: "error",
    meaning: "A document with an unknown outcome would be sent again, although the gateway may not recognize it",
    consequence: `A document could be fiscalised twice. ${notUsable}`,
    fix: "Set `unknown` to hold. If you know that the gateway removes duplicates, you can instead set the assumption DOC-10 to deduplicates."
  },
  CONFIG_STORE_UNUSABLE: {
    severity: "error",
    meaning: "The store cannot be created or written at the configured place",
    consequence: "An import stops before anything is sent.",
    fix: "Create the folder, let this user write in it, or name another place in `store`."
  },
  CONFIG_KEY_SHARED: {
    severity: "warning",
    meaning: "Two accounts have the same key",
    consequence:
      "The gateway sees one account: a document that is imported for both is fiscalised twice, because the two accounts are separate here.",
    fix: "Remove one account, or give each account its own key."
  },
  CONFIG_STORE_NO_PASSWORD: {
    severity: "warning",
    meaning: "The store is on another machine, and no password for the store is configured",
    consequence:
      "If the server requires a password, it refuses the connection, and the import stops before anything is sent.",
    fix: "Name a file that contains only the password in passwordFile, or set FISCAL_CONNECTOR_STORE_PASSWORD. If the server requires no password, no action is needed."
  },
  CONFIG_ALERT_NOT_FOUND: {
    severity: "warning",
    meaning: "The command for notifications does not exist",
    consequence: "No notification is sent.",
    fix: "Name an executable in alert.command: a path relative to the configuration, or a name in PATH."
  },
  CONFIG_SECRET_EXPOSED: {
    severity: "warning",
    meaning: "Other users can read a file with a key or a secret",
    consequence: "A user who can read the file could send documents in the name of the account.",
    fix: "Let only the owner of the file read it: chmod 600."
  },
  CONFIG_UNSIGNED: {
    severity: "warning",
    meaning: "The account has no secret",
    consequence:
      "Requests are not signed, and the gateway may refuse them with 401. Webhook deliveries are not trusted.",
    fix: "Name a file that contains only the secret in secretFile, or set the variable that is shown."
  },
  CONFIG_STORE_PLAIN: {
    severity: "warning",
    meaning: "The store is on another machine, and its identity is not verified",
    consequence:
      "Other users of the network may read buyers and amounts, and another server may answer in place of the store.",
    fix: "Set `encryption` to verified. If the certificate comes from a private authority, name the authority's certificate in authoritiesFile."
  },
  CONFIG_VARIABLE_UNKNOWN: {
    severity: "warning",
    meaning: "An environment variable matches no account and no setting",
    consequence: "The variable has no effect.",
    fix: "Correct the name: FISCAL_CONNECTOR_, the name of the account in capitals, and the setting."
  }
})

const wording: Readonly<Record<string, string>> = {
  "Missing key": "is not set",
  "Expected no excess property": "there is no such setting",
  "Expected a valid Duration string": "expected a duration such as 30 seconds or 500 millis"
}

export const misshapen = (path: Finding.Path, message: string): Finding.Finding =>
  Finding.make(ConfigFinding.CONFIG_SHAPE, {
    path,
    message: `${path.join(".") || "the file"}: ${wording[message] ?? message}`
  })

export const allMisshapen = (root: Finding.Path, error: Schema.SchemaError): ReadonlyArray<Finding.Finding> =>
  SchemaProblems.of(error).map(({ message, path }) => misshapen([...root, ...path], message))
