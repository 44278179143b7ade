import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import type { BannerLine } from './project.ts'

const type = 'framework:banner'

/** Sends the banner lines of this worker to the primary; does nothing outside a fleet. */
export function sendBanner(lines: readonly BannerLine[]): void {
  if (!cluster.isWorker) return
  // Errors are ignored: the worker notices elsewhere that the primary is gone.
  process.send?.({ type, lines }, () => {})
}

/**
 * Listens in the primary for the banner lines of the first worker; those of all workers are the same.
 * Returns a function that stops listening and returns the lines.
 */
export function bannerOfFleet(): () => readonly BannerLine[] {
  let received: readonly BannerLine[] | null = null
  const listener = (_worker: Worker, message: unknown): void => {
    received ??= linesIn(message)
  }
  cluster.on('message', listener)
  return () => {
    cluster.off('message', listener)
    return received ?? []
  }
}

function linesIn(message: unknown): BannerLine[] | null {
  if (typeof message !== 'object' || message === null) return null
  if (!('type' in message) || message.type !== type || !('lines' in message)) return null
  return Array.isArray(message.lines) ? message.lines.filter(isLine) : null
}

function isLine(line: unknown): line is BannerLine {
  if (typeof line !== 'object' || line === null || !('label' in line)) return false
  return typeof line.label === 'string' && 'value' in line && typeof line.value === 'string'
}
