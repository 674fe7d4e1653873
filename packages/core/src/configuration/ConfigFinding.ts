/** Findings about a configuration file, before any request to the gateway. */
import { docsPage } from "../finding/DocsPage.ts"
import * as Finding from "../finding/Finding.ts"
import { catalogue } from "../finding/FindingCode.ts"

const notUsable = "Nothing is sent for the account."

export const ConfigFinding = catalogue({
  CONFIG_UNREADABLE: {
    severity: "error",
    meaning: "The configuration cannot be read",
    consequence: "No account of the file can be used.",
    fix: "Name a file that is there and that you may read."
  },
  CONFIG_SYNTAX: {
    severity: "error",
    meaning: "The configuration is not JSON",
    consequence: "No account of the file can be used.",
    fix: "Correct the place shown. Comments and a comma after the last entry are allowed."
  },
  CONFIG_SHAPE: {
    severity: "error",
    meaning: "A setting has the wrong form",
    consequence: notUsable,
    fix: `Write the setting as ${docsPage("configuration")} shows it.`
  },
  CONFIG_NOT_RELOADED: {
    severity: "error",
    meaning: "The new configuration cannot be used",
    consequence: "`work` and `serve` were asked to reload it (SIGHUP), and still use the previous one.",
    fix: "Correct the named setting, check the whole configuration, and send SIGHUP again."
  },
  CONFIG_NEEDS_RESTART: {
    severity: "warning",
    meaning: "A change of the configuration is only used after a restart",
    consequence:
      "`work` and `serve` keep their store as long as they run. Where another one is named, nothing of the new configuration is used.",
    fix: "Stop the command and start it again."
  },
  CONFIG_SECRET_INSIDE: {
    severity: "error",
    meaning: "A secret is in the configuration itself",
    consequence: `Everyone who may read or copy the file has it. ${notUsable}`,
    fix: "Move it into a separate file, named by keyFile, secretFile, formerSecretFiles or passwordFile, or into the environment. If other users could read it, have a new one issued."
  },
  CONFIG_NO_KEY: {
    severity: "error",
    meaning: "The account has no key",
    consequence: notUsable,
    fix: "Name a file with nothing but the key in keyFile, or set the variable shown."
  },
  CONFIG_SECRET_UNUSABLE: {
    severity: "error",
    meaning: "A key or secret cannot be used",
    consequence: notUsable,
    fix: "The file or the variable holds nothing but the key or the secret; a file is relative to the configuration."
  },
  CONFIG_NAMES_CLASH: {
    severity: "error",
    meaning: "Two accounts share their environment variables",
    consequence: `One account would be given the other's key. ${notUsable}`,
    fix: "Give one of them a name that differs in more than capitals and punctuation."
  },
  CONFIG_RESEND_UNSAFE: {
    severity: "error",
    meaning: "A document with an unknown outcome would be sent again, although the gateway may not recognise it",
    consequence: `A document could be fiscalised twice. ${notUsable}`,
    fix: "Leave `unknown` at hold; or set the assumption DOC-10 to deduplicates, once you know that the gateway does."
  },
  CONFIG_STORE_UNUSABLE: {
    severity: "error",
    meaning: "The store cannot be kept where the configuration says",
    consequence: "An import stops before anything is sent.",
    fix: "Make the folder, let this user write in it, or name another place in `store`."
  },
  CONFIG_KEY_SHARED: {
    severity: "warning",
    meaning: "Two accounts have the same key",
    consequence:
      "At the gateway they are one account: a document that is imported for both is fiscalised twice, because each is kept apart here.",
    fix: "Leave one of them out, or give each its own key."
  },
  CONFIG_STORE_NO_PASSWORD: {
    severity: "warning",
    meaning: "The store is on another machine, and no password for it is configured",
    consequence: "A server that asks for one refuses, and the import stops before anything is sent.",
    fix: "Name a file with nothing but the password in passwordFile, or set FISCAL_CONNECTOR_STORE_PASSWORD. If the server asks for none, no action is needed."
  },
  CONFIG_ALERT_NOT_FOUND: {
    severity: "warning",
    meaning: "The command for notifications does not exist",
    consequence: "No notification is sent.",
    fix: "Name an executable in alert.command: by its path, relative to the configuration, or by a name that PATH finds."
  },
  CONFIG_SECRET_EXPOSED: {
    severity: "warning",
    meaning: "A file with a key or secret can be read by others",
    consequence: "Every user of this machine could submit in the account's name.",
    fix: "Let only its owner read it: chmod 600."
  },
  CONFIG_UNSIGNED: {
    severity: "warning",
    meaning: "The account has no secret",
    consequence:
      "Requests go unsigned, which a gateway may refuse with 401, and webhook deliveries are never believed.",
    fix: "Name a file with nothing but the secret in secretFile, or set the variable shown."
  },
  CONFIG_STORE_PLAIN: {
    severity: "warning",
    meaning: "The store is on another machine, and nothing proves its identity",
    consequence: "Others on the network may read buyers and amounts, and answer in its place.",
    fix: "Leave `encryption` at verified; where the certificate is of an authority of your own, name that one in authoritiesFile."
  },
  CONFIG_VARIABLE_UNKNOWN: {
    severity: "warning",
    meaning: "A variable of the environment belongs to no account and no setting",
    consequence: "It is without effect.",
    fix: "Correct its name: FISCAL_CONNECTOR_, the account's name in capitals, and the setting."
  }
})

/** Replacements for the schema library's messages. */
const wording: Readonly<Record<string, string>> = {
  "Missing key": "is not set",
  "Expected no excess property": "there is no such setting",
  "Expected a valid Duration string": "expected a duration such as 30 seconds or 500 millis"
}

/** Returns a finding for a setting that is missing, unknown or has the wrong form. */
export const misshapen = (path: Finding.Path, message: string): Finding.Finding =>
  Finding.make(ConfigFinding.CONFIG_SHAPE, {
    path,
    message: `${path.join(".") || "the file"}: ${wording[message] ?? message}`
  })
