import { unlessNested } from '../../database/transaction-options.ts'
import type { Surface } from '../../database/surface.ts'
import { deadlockRetries } from '../../database/retry-on-deadlock.ts'
import type { Emitter } from '../../events/emitter.ts'
import { AuthEvents } from '../auth-events.ts'
import type { AuthEventPayload } from '../auth-events.ts'
import type { AccountActivity } from './account-activity.ts'
import type { ActivityEntry } from './activity-entry.ts'

/** Where a change is recorded, and who hears of it. */
export interface ChangeRecorder {
  /** Records the change, in its transaction; null records nothing. */
  readonly activity: AccountActivity | null
  readonly emitter: Emitter
  /** Epoch seconds. */
  readonly clock: () => number
}

/** What is recorded of a change, and the `subject`, which only its event tells. */
export interface ChangeEntry extends ActivityEntry, Pick<AuthEventPayload, 'subject'> {}

/** Runs a change in its transaction: `(work) => credentials.hold(user, options, work)`. */
export type RunChange = <T>(work: (surface: Surface) => Promise<T | null>) => Promise<T | null>

/** Runs changes that no session asks for, such as the use of a code. */
export function unheld(surface: Surface): RunChange {
  const options = { isolation: 'read-committed', retry: deadlockRetries } as const
  return (work) => surface.transaction(work, unlessNested(surface, options))
}

/**
 * Makes a change to an account and records it in the same transaction, then emits its event. If `change`
 * resolves with null, nothing has changed and nothing is told.
 */
export async function recordChange<T>(
  run: RunChange,
  { activity, emitter, clock }: ChangeRecorder,
  entry: ChangeEntry,
  change: (surface: Surface) => Promise<T | null>,
): Promise<T | null> {
  const changed = await run(async (surface) => {
    const made = await change(surface)
    if (made !== null) await activity?.within(surface).record(entry)
    return made
  })
  if (changed === null) return null
  const { user, event, method = null, peer = '', agent = '', request = null } = entry
  const at = Math.floor(clock())
  const told = entry.subject === undefined ? {} : { subject: entry.subject }
  emitter.emit(AuthEvents[event], { user, peer, agent, method, request, ...told, at })
  return changed
}
