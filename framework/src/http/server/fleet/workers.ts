import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { WorkerIdentity } from './worker-events.ts'
import { isDrainMessage, reportsVariable, slotVariable } from './worker-messages.ts'

/** Whether this process is the primary of a fleet of that size and handles no requests itself. */
export function supervises(workers: number | 'auto'): boolean {
  const count = workers === 'auto' ? availableParallelism() : workers
  return count > 1 && cluster.isPrimary
}

/** Whether this process is a worker of a fleet. */
export function inFleet(): boolean {
  return cluster.isWorker
}

/** The identity of this process as a worker; outside a fleet it is the first and only one. */
export function workerIdentity(): WorkerIdentity {
  return { slot: Number(process.env[slotVariable] ?? 1), pid: process.pid }
}

/** Folder for diagnostic reports; for a worker the one set by its primary. Null for none. */
export function reportsFolder(configured: string | null): string | null {
  return cluster.isWorker ? (process.env[reportsVariable] ?? null) : configured
}

/**
 * Calls `leave` when the primary tells this worker to exit, with the seconds for which it still accepts
 * requests. Returns a function that stops listening.
 */
export function onDrain(leave: (delay: number) => void): () => void {
  if (!cluster.isWorker) return () => {}
  const listener = (message: unknown): void => {
    if (isDrainMessage(message)) leave(message.delay)
  }
  process.on('message', listener)
  return () => process.off('message', listener)
}

/**
 * Disconnects from the primary. Messages are handled in order, so when this resolves, a connection
 * handed over just before has been returned and goes to another worker.
 */
export function leaveFleet(): Promise<void> {
  const { worker } = cluster
  if (worker === undefined || !worker.isConnected()) return Promise.resolve()
  return new Promise((resolve) => {
    process.once('disconnect', () => resolve())
    worker.disconnect()
  })
}
