import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import type { Channel } from '../../services/logs/channel.ts'
import { parseReport } from '../server/worker-messages.ts'

/**
 * Logs, in the primary, why a worker that replaces another cannot come up: workers do not print
 * that themselves, or it would stand there once for each of them. The answer ends it.
 */
export function logWorkerFailures(channel: Channel): () => void {
  const listener = ({ process: { pid } }: Worker, message: unknown): void => {
    const report = parseReport(message)
    if (report?.type !== 'framework:failed') return
    channel.error('a worker cannot start', { pid, reason: report.message })
  }
  cluster.on('message', listener)
  return () => void cluster.off('message', listener)
}
