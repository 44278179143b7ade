import cluster from 'node:cluster'
import type { Listening } from '../engine/engine.ts'

/** What a worker tells the primary. */
export type WorkerReport =
  | { readonly type: 'framework:serving'; readonly host: string; readonly port: number }
  | {
      readonly type: 'framework:failed'
      readonly message: string
      /** What is to be printed of an error that nobody expected; null for one that its message explains. */
      readonly report: string | null
    }

/** What the primary tells a worker: finish what is in flight, then leave. */
export interface DrainMessage {
  readonly type: 'framework:drain'
  /** Seconds in which it still takes requests. */
  readonly delay: number
}

/** Environment variable that tells a worker its place in the fleet. */
export const slotVariable = 'FRAMEWORK_WORKER_SLOT'

/** Environment variable that tells a worker where to leave a diagnostic report. */
export const reportsVariable = 'FRAMEWORK_WORKER_REPORTS'

/** Reads a message from a worker; null for one that is not ours. */
export function parseReport(message: unknown): WorkerReport | null {
  if (!isRecord(message)) return null
  const { type, host, port } = message
  if (type === 'framework:serving' && typeof host === 'string' && typeof port === 'number') {
    return { type, host, port }
  }
  if (type === 'framework:failed') {
    const { report } = message
    const text = typeof report === 'string' ? report : null
    return { type, message: String(message['message']), report: text }
  }
  return null
}

/** In how many seconds a message tells this worker to leave; null for another message. */
export function drainDelay(message: unknown): number | null {
  if (!isRecord(message) || message['type'] !== 'framework:drain') return null
  return Number(message['delay'] ?? 0)
}

/** Tells the primary where this worker serves; outside a fleet there is nobody to tell. */
export function reportServing({ host, port }: Listening): void {
  if (cluster.isWorker) process.send?.({ type: 'framework:serving', host, port })
}

/** Tells the primary why this worker cannot serve, and resolves when it has been told. */
export async function reportFailure(error: Error): Promise<void> {
  if (!cluster.isWorker || process.send === undefined) return
  const { failureReport } = await import('../failure-report.ts')
  const report: WorkerReport = {
    type: 'framework:failed',
    message: error.message,
    report: failureReport(error),
  }
  // Should the primary be gone, the worker notices by other means.
  await new Promise<void>((resolve) => process.send?.(report, () => resolve()))
}

function isRecord(message: unknown): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null
}
