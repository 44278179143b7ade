import { join } from 'node:path'
import type { Reporter } from '../errors/throwables/throwables.ts'
import { PendingErrors } from './pending-errors.ts'
import { WaitingFile, waitingFileName } from './waiting-file.ts'

/**
 * A reporter for a process without a database, the primary of a fleet: leaves its errors, most of them
 * crashes of workers, for the inbox of the next worker, if the project has an inbox.
 */
export function primaryReporter(root: string): Reporter {
  const waiting = new WaitingFile(join(root, 'storage', waitingFileName))
  const pending = new PendingErrors({ root, release: '', nowMs: Date.now })
  return (error, context) => {
    pending.add(error, context)
    waiting.appendSync(pending.take().map((batch) => JSON.stringify(batch)))
  }
}
