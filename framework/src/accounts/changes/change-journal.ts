import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { unlessNested, deadlockRetries } from '../../database/transaction-options.ts'
import type { Surface } from '../../database/surface.ts'
import { Emitter } from '../../events/emitter.ts'
import type { AccountActivity, ActivityEntry } from '../account-activity.ts'
import { AuthEvents } from '../auth-events.ts'
import type { AuthEventName, AuthEventPayload } from '../auth-events.ts'
import type { CredentialsOrigin } from './credentials-options.ts'

/** Where changes are recorded, and who hears of them. */
export interface ChangeJournalOptions {
  /** @default nothing is recorded */
  readonly activity?: AccountActivity | null
  /** @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** What is recorded of a change, and the `subject`, which only its event has. */
export interface ChangeEntry extends ActivityEntry, Pick<AuthEventPayload, 'subject'> {}

/** Runs a change in its transaction: `(work) => credentials.hold(user, options, work)`. */
export type RunChange = <T>(work: (surface: Surface) => Promise<T | null>) => Promise<T | null>

/** Records the changes of accounts in their transactions, and emits their events. */
export class ChangeJournal {
  readonly #activity: AccountActivity | null
  readonly #emitter: Emitter
  readonly #clock: () => number

  constructor({
    activity = null,
    emitter = Emitter.Instance,
    clock = epochSeconds,
  }: ChangeJournalOptions) {
    this.#activity = activity
    this.#emitter = emitter
    this.#clock = clock
  }

  /**
   * Makes a change to an account and records it in the same transaction, then emits its event. If `change`
   * resolves with null, nothing has changed and nothing is emitted.
   */
  async change<T>(
    run: RunChange,
    entry: ChangeEntry,
    change: (surface: Surface) => Promise<T | null>,
  ): Promise<T | null> {
    const changed = await run(async (surface) => {
      const made = await change(surface)
      if (made !== null) await this.#activity?.within(surface).record(entry)
      return made
    })
    if (changed === null) return null
    const { user, event, method = null, peer = '', agent = '', request = null, subject } = entry
    const details = { method, ...(subject !== undefined && { subject }) }
    const at = Math.floor(this.#clock())
    this.#emitter.emit(AuthEvents[event], { user, peer, agent, ...details, request, at })
    return changed
  }

  /** Records a change in its transaction. */
  async record(
    transaction: Surface,
    event: AuthEventName,
    user: string,
    { peer = '', agent = '', request = null, actor = user }: CredentialsOrigin,
    method: string | null = null,
  ): Promise<void> {
    const activity = this.#activity?.within(transaction)
    await activity?.record({ user, event, method, peer, agent, request, actor })
  }

  /** Emits the event of a change, after its transaction. */
  emit(
    event: AuthEventName,
    user: string,
    { peer = '', agent = '', request = null, route = null, actor }: CredentialsOrigin,
    method: string | null = null,
    subject: string | null = null,
  ): void {
    const origin = { peer, agent, request, route, ...(actor !== undefined && { actor }) }
    this.#emitter.emit(AuthEvents[event], {
      user,
      method,
      ...(subject !== null && { subject }),
      ...origin,
      at: Math.floor(this.#clock()),
    })
  }
}

/** Runs changes that no session asks for, such as the use of a code. */
export function unheld(surface: Surface): RunChange {
  const options = { isolation: 'read-committed', retry: deadlockRetries } as const
  return (work) => surface.transaction(work, unlessNested(surface, options))
}
