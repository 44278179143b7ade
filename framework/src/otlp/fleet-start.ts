import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { retiredName } from '../metrics/fleet-files.ts'
import type { Snapshot } from '../metrics/snapshot.ts'

/** The fallback when the start is unknown: long ago. */
const longAgo = 1

/**
 * Epoch seconds when a fleet started counting: `start` in the file of retired workers, else when the
 * folder was created. It must be the same in every shipment, even after workers were replaced:
 * receivers treat a changed start as a counter reset.
 */
export async function fleetStart(folder: string, { timestamp }: Snapshot): Promise<number> {
  const start = (await recordedStart(folder)) ?? (await creationTime(folder)) ?? longAgo
  return Math.min(start, timestamp)
}

async function recordedStart(folder: string): Promise<number | null> {
  try {
    const document: unknown = JSON.parse(await readFile(join(folder, retiredName), 'utf8'))
    if (typeof document !== 'object' || document === null || !('start' in document)) return null
    return orNull(document.start)
  } catch {
    return null
  }
}

async function creationTime(folder: string): Promise<number | null> {
  try {
    const { birthtimeMs } = await stat(folder)
    // 0 on file systems that do not record it.
    return orNull(birthtimeMs / 1_000)
  } catch {
    return null
  }
}

function orNull(seconds: unknown): number | null {
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : null
}
