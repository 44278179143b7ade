import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import type { BannerLine } from './project.ts'

const type = 'framework:banner'

/** Tells the primary the banner lines of this worker; outside a fleet there is nobody to tell. */
export function sendBanner(lines: readonly BannerLine[]): void {
  if (!cluster.isWorker) return
  // Should the primary be gone, the worker notices by other means.
  process.send?.({ type, lines }, () => {})
}

/**
 * Listens, in the primary, for the first worker that sends its lines: services live there and they
 * are alike in all of them. The answer stops listening and gives what came.
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
