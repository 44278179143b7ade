import { epochSeconds } from '../base/time/epoch-seconds.ts'
import type { Transaction } from '../database/surface.ts'
import { Emitter } from '../events/emitter.ts'
import { AuthEvents } from './auth-events.ts'
import type { AuthEventName } from './auth-events.ts'
import type { CredentialsOptions, CredentialsOrigin } from './credentials-options.ts'

/** Records the changes of accounts, and tells of them. */
export class ChangeJournal {
  readonly #activity: CredentialsOptions['activity']
  readonly #emitter: Emitter
  readonly #clock: () => number

  constructor(options: Pick<CredentialsOptions, 'activity' | 'emitter' | 'clock'>) {
    this.#activity = options.activity
    this.#emitter = options.emitter ?? Emitter.Instance
    this.#clock = options.clock ?? epochSeconds
  }

  /** Records a change in its transaction. */
  async record(
    transaction: Transaction,
    event: AuthEventName,
    user: string,
    { peer = '', agent = '', request = null, actor = user }: CredentialsOrigin,
    method: string | null = null,
  ): Promise<void> {
    const activity = this.#activity?.within(transaction)
    await activity?.record({ user, event, method, peer, agent, request, actor })
  }

  /** Tells of a change, after its transaction. */
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
