/** Jobs of pg-boss that carry a document each, and a worker that hands them over by the hundred. Start it on as many machines as you like. */
import type { DocumentInput, FiscalConnector, Result } from "@fiscal-connector/promise"
import type { PgBoss } from "pg-boss"

const queue = "documents"

/** Where a run of the engine puts its jobs. Once, at the start. */
export const prepare = (boss: PgBoss): Promise<void> => boss.createQueue(queue, { retryLimit: 1000, retryDelay: 5 })

/** In the transaction that makes the invoice, if you give pg-boss its `db`. */
export const send = (boss: PgBoss, document: DocumentInput): Promise<string | null> => boss.send(queue, { document })

/**
 * `save` writes a document's state back. A worker that dies has its jobs given to another: its documents were sent once, whatever it came to, and
 * the other one gets their codes.
 */
export const work = (boss: PgBoss, fiscal: FiscalConnector, save: (result: Result) => Promise<void>): Promise<string> =>
  boss.work<{ document: DocumentInput }>(queue, { batchSize: 100, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    const documents = jobs.map(({ data }) => data.document)
    const { results } = await fiscal.sync(documents, { whenLate: "send-rest" })
    // the result of a duplicate is that of its other job
    for (const result of results) if (result.status !== "duplicate") await save(result)
  })
