import { availableParallelism } from 'node:os'
import { isMessage } from '../../../base/is-record.ts'
import type { Listening } from '../engine/engine.ts'
import type { WorkerIdentity } from './worker-events.ts'

/** Whether this process is the primary of a fleet of that size and handles no requests itself. */
export function supervises(workers: number | 'auto'): boolean {
  const count = workers === 'auto' ? availableParallelism() : workers
  return count > 1 && !inFleet()
}

/** Whether this process is a worker of a fleet. A worker has a channel: others never load `node:cluster`. */
export function inFleet(): boolean {
  if (process.send === undefined) return false
  // Its type is that of the module, which has the object as its default export.
  return Reflect.get(process.getBuiltinModule('node:cluster'), 'isWorker') === true
}

/** The identity of this process as a worker; outside a fleet it is the first and only one. */
export function workerIdentity(): WorkerIdentity {
  return { slot: Number(process.env[slotVariable] ?? 1), pid: process.pid }
}

/** Folder for diagnostic reports; for a worker the one set by its primary. Null for none. */
export function reportsFolder(configured: string | null): string | null {
  return inFleet() ? (process.env[reportsVariable] ?? null) : configured
}

/**
 * Calls `leave` when the primary tells this worker to exit, with the seconds for which it still accepts
 * requests. Returns a function that stops listening.
 */
export function onDrain(leave: (delay: number) => void): () => void {
  if (!inFleet()) return () => {}
  const listener = (message: unknown): void => {
    if (isMessage<DrainMessage>(message, 'framework:drain')) leave(message.delay)
  }
  process.on('message', listener)
  return () => process.off('message', listener)
}

/**
 * Disconnects from the primary. Messages are handled in order, so when this resolves, a connection
 * handed over just before has been returned and goes to another worker.
 */
export async function leaveFleet(): Promise<void> {
  if (!inFleet()) return
  const { worker } = (await import('node:cluster')).default
  if (worker === undefined || !worker.isConnected()) return
  await new Promise<void>((resolve) => {
    process.once('disconnect', () => resolve())
    worker.disconnect()
  })
}

/** Tells the primary that this worker receives its messages from now on; does nothing outside a fleet. */
export function reportReachable(): void {
  if (inFleet()) process.send?.({ type: 'framework:reachable' })
}

/** Tells the primary where this worker serves; does nothing outside a fleet. */
export function reportServing({ host, port }: Listening): void {
  if (inFleet()) process.send?.({ type: 'framework:serving', host, port })
}

/** Tells the primary why this worker cannot serve; resolves when the message was sent. */
export async function reportFailure(error: Error): Promise<void> {
  if (!inFleet()) return
  const { failureReport } = await import('./process-reports.ts')
  const report: WorkerReport = {
    type: 'framework:failed',
    message: error.message,
    report: failureReport(error),
  }
  // Errors are ignored: the worker notices elsewhere that the primary is gone.
  await new Promise<void>((resolve) => process.send?.(report, () => resolve()))
}

/** Message from a worker to the primary. */
export type WorkerReport =
  | { readonly type: 'framework:reachable' }
  | { readonly type: 'framework:serving'; readonly host: string; readonly port: number }
  | {
      readonly type: 'framework:failed'
      readonly message: string
      /** The report of an unexpected error; null if the message is enough. */
      readonly report: string | null
    }

/** Message from the primary to a worker: finish the requests in flight, then exit. */
export interface DrainMessage {
  readonly type: 'framework:drain'
  /** Seconds for which it still accepts requests. */
  readonly delay: number
}

/** Environment variable with the slot of a worker. */
export const slotVariable = 'FRAMEWORK_WORKER_SLOT'

/** Environment variable with the folder for a worker's diagnostic report. */
export const reportsVariable = 'FRAMEWORK_WORKER_REPORTS'

/** Whether this is a message of a worker about its start. */
export function isWorkerReport(message: unknown): message is WorkerReport {
  const types = ['framework:reachable', 'framework:serving', 'framework:failed'] as const
  return isMessage<WorkerReport>(message, ...types)
}
