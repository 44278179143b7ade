import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFile } from '../../base/files/private-files.ts'
import { snapshotPattern } from '../../metrics/fleet-files.ts'
import { membersBeside } from '../../metrics/fleet-list.ts'
import { SnapshotReader } from '../../metrics/snapshot-reader.ts'
import type { OwnSnapshot } from '../../metrics/snapshot-reader.ts'
import { writeSnapshotFile } from '../../metrics/write-snapshot-file.ts'
import type { ObservabilitySettings } from '../../http/server/options.ts'
import { readPast, record, writePast } from '../metrics-page/in-page/past.ts'
import type { Past, PastStep } from '../metrics-page/in-page/past.ts'
import { readSample } from '../metrics-page/in-page/sample.ts'

/** Not `.json`, which would make it a snapshot. */
const fileName = 'last-hour.past'
/** More would take more than half a megabyte. */
const maxRoutes = 15

/**
 * Keeps what the page of the metrics draws, for the last hour and of the whole fleet, in a file of the folder. The
 * process that owns the folder does this, so that a worker can be replaced; its successor reads the file.
 */
export function keepLastHour(settings: ObservabilitySettings): (own: OwnSnapshot) => Promise<void> {
  const { folder, maxAge } = settings
  let past: Past | null = null
  let reader: SnapshotReader | null = null
  return async (own) => {
    reader ??= new SnapshotReader(snapshotPattern(folder), maxAge, membersBeside(own.file))
    const sample = readSample(await reader.merge(own))
    if (sample === null) return
    past = record(past ?? { steps: await lastHour(folder), sample: null }, sample, maxRoutes)
    const text = writePast(past)
    // Without the file the page begins empty; that the folder cannot be written to is known from the snapshots.
    await writeSnapshotFile(join(folder, fileName), text, privateFile).catch(() => undefined)
  }
}

/** The file as it is; empty if there is none. */
export function lastHourText(folder: string): Promise<string> {
  return readFile(join(folder, fileName), 'utf8').catch(() => '')
}

/** The steps of the last hour, as far as they are known. */
export async function lastHour(folder: string): Promise<readonly PastStep[]> {
  try {
    return readPast(JSON.parse(await lastHourText(folder)))
  } catch {
    return []
  }
}
