import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { retiredName } from '../fleet-files.ts'
import type { Snapshot } from '../snapshot.ts'

/** Stands for "long ago" where nothing better is known. */
const longAgo = 1

/**
 * Epoch seconds when a fleet began to count: as its owner wrote them down (`start` in the file of
 * the retired), else when the folder was made. They are the same in every shipment, also after
 * workers were replaced: a receiver takes a start that moves for counters that began anew.
 */
export async function fleetStart(folder: string, { timestamp }: Snapshot): Promise<number> {
  const start = (await writtenStart(folder)) ?? (await birthOf(folder)) ?? longAgo
  return Math.min(start, timestamp)
}

async function writtenStart(folder: string): Promise<number | null> {
  try {
    const document: unknown = JSON.parse(await readFile(join(folder, retiredName), 'utf8'))
    if (typeof document !== 'object' || document === null || !('start' in document)) return null
    return orNull(document.start)
  } catch {
    return null
  }
}

async function birthOf(folder: string): Promise<number | null> {
  try {
    const { birthtimeMs } = await stat(folder)
    // Some file systems keep no birth and give 0.
    return orNull(birthtimeMs / 1_000)
  } catch {
    return null
  }
}

function orNull(seconds: unknown): number | null {
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : null
}
