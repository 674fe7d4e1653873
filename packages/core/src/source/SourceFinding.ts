/** What can be wrong with a reading itself, before anybody asks what it says: only code that no type checker saw comes to it. */
import { catalogue } from "../finding/FindingCode.ts"

export const SourceFinding = catalogue({
  READING_MALFORMED: {
    severity: "error",
    meaning: "The adapter gave a value of another kind than its interface has",
    consequence: "What was meant is not guessed. The document is refused; nothing of it is sent.",
    fix: "Correct the adapter: SourceDocument says what each value is. The type checker, or the adapter's conformance suite, finds it as well."
  },
  READING_UNKNOWN: {
    severity: "error",
    meaning: "The adapter gave something that is neither a document, nor skipped, nor a finding",
    consequence: "It is not known what it stands for. Nothing of it is sent.",
    fix: 'Correct the adapter: a reading has _tag "SourceDocument", "Skipped" or "Finding".'
  }
})
