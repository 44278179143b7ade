import { setTimeout as sleep } from 'node:timers/promises'
import type { EventMessage } from '../../http/live/event-text.ts'
import { listRow } from './list-row.ts'
import type { ListRow } from './list-row.ts'
import type { RecordFile } from './record-file.ts'
import type { RecordSearch } from './record-search.ts'
import { retryWhileBusy } from './retry-while-busy.ts'

/** What is new in the list. */
export interface ListChanges {
  /** The last change in the file. */
  readonly change: number
  /** Whether these are all rows, and replace those that are shown. */
  readonly isWhole: boolean
  /** Newest first. */
  readonly rows: readonly ListRow[]
}

/** Rows of the list. */
export const maxListed = 100
/** How often the file is asked whether something was written, by whichever process. */
const lookMs = 250
/** The page takes a longer silence for a broken connection. */
const maxSilenceMs = 10_000

type Records = Pick<RecordFile, 'lastChange' | 'list'>

/** What was written after the change in the search; everything if the file was emptied since. */
export async function listChanges(file: Records, search: RecordSearch): Promise<ListChanges> {
  const change = await retryWhileBusy(() => file.lastChange())
  const { after = 0 } = search
  const isWhole = after === 0 || change < after
  const since = { ...search, after: isWhole ? 0 : after }
  const records = await retryWhileBusy(() => file.list(since, maxListed))
  return { change, isWhole, rows: records.map(listRow) }
}

/** The changes for an open list, until the signal ends them: now, then whenever something was written. */
export async function* changeEvents(
  file: Records,
  search: RecordSearch,
  signal: AbortSignal,
): AsyncGenerator<EventMessage<{ changes: ListChanges }>, never> {
  let { after = 0 } = search
  for (;;) {
    const changes = await listChanges(file, { ...search, after })
    yield { name: 'changes', data: changes }
    after = changes.change
    await changed(file, after, signal)
  }
}

async function changed(file: Records, after: number, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + maxSilenceMs
  while (performance.now() < untilMs) {
    await sleep(lookMs, undefined, { ref: false, signal })
    if ((await retryWhileBusy(() => file.lastChange())) !== after) return
  }
}
