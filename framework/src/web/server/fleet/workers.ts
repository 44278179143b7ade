import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { WorkerIdentity } from './worker-events.ts'
import { drainDelay, reportsVariable, slotVariable } from './worker-messages.ts'

/** Whether this process is the primary of a fleet of that size, and so handles no requests itself. */
export function supervises(workers: number | 'auto'): boolean {
  const count = workers === 'auto' ? availableParallelism() : workers
  return count > 1 && cluster.isPrimary
}

/** Whether this process is a worker that a primary watches. */
export function inFleet(): boolean {
  return cluster.isWorker
}

/** Who this process is as a worker; outside a fleet it is the first and only one. */
export function workerIdentity(): WorkerIdentity {
  return { slot: Number(process.env[slotVariable] ?? 1), pid: process.pid }
}

/** Where this process leaves diagnostic reports: a worker where its primary says; null is nowhere. */
export function reportsFolder(configured: string | null): string | null {
  return cluster.isWorker ? (process.env[reportsVariable] ?? null) : configured
}

/**
 * Calls back when the primary tells this worker to leave, with the seconds it still takes requests;
 * returns the function that stops that.
 */
export function onDrain(leave: (delay: number) => void): () => void {
  if (!cluster.isWorker) return () => {}
  const listener = (message: unknown): void => {
    const delay = drainDelay(message)
    if (delay !== null) leave(delay)
  }
  process.on('message', listener)
  return () => process.off('message', listener)
}

/**
 * Takes leave of the primary. It answers in order, so that a connection it handed over just before
 * has been given back, and goes to another worker, by the time this resolves.
 */
export function leaveFleet(): Promise<void> {
  const { worker } = cluster
  if (worker === undefined || !worker.isConnected()) return Promise.resolve()
  return new Promise((resolve) => {
    process.once('disconnect', () => resolve())
    worker.disconnect()
  })
}
