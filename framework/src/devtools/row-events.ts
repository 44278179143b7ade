import { setTimeout as sleep } from 'node:timers/promises'
import type { EventMessage } from '../http/live/event-text.ts'

/** How often it is asked whether something has changed, by whichever process. */
const lookMs = 250
/** The page takes a longer silence for a broken connection. */
const maxSilenceMs = 10_000

/** A list on a page, and something that differs after every change of it. */
export interface LiveRows<Rows> {
  readonly rows: () => Rows | Promise<Rows>
  readonly change: () => unknown
}

/** The rows of an open list, until the signal ends them: now, then whenever something has changed. */
export async function* rowEvents<Rows>(
  { rows, change }: LiveRows<Rows>,
  signal: AbortSignal,
): AsyncGenerator<EventMessage<{ rows: Rows }>, never> {
  for (;;) {
    const before = await change()
    yield { name: 'rows', data: await rows() }
    const untilMs = performance.now() + maxSilenceMs
    do await sleep(lookMs, undefined, { ref: false, signal })
    while ((await change()) === before && performance.now() < untilMs)
  }
}
