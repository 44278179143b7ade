import { Throwables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { AuthEvents } from '../auth-events.ts'
import type { AuthEventPayload } from '../auth-events.ts'
import type { Identity } from '../identity.ts'
import type { Users } from '../users.ts'
import type { AccountHooks } from './accounts-options.ts'

/** Calls the functions of a project when something happened to an account, until it is closed. */
export class AccountEvents {
  readonly #users: Users
  readonly #stops: (() => void)[] = []
  readonly #running = new Set<Promise<void>>()

  constructor({ registered, signedIn }: AccountHooks, users: Users) {
    this.#users = users
    this.#on('Registered', registered)
    this.#on('Login', signedIn)
  }

  /** Waits for what they have begun. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
    await Promise.all(this.#running)
  }

  #on(event: 'Registered' | 'Login', hook: ((user: Identity) => unknown) | undefined): void {
    if (hook === undefined) return
    const run = async ({ user }: AuthEventPayload): Promise<void> => {
      try {
        const identity = user === null ? null : await this.#users.find(user)
        if (identity !== null) await hook(identity)
      } catch (error) {
        Throwables.notify(error)
      }
    }
    this.#stops.push(
      Emitter.Instance.listen(AuthEvents[event], (payload) => {
        const running = run(payload).finally(() => this.#running.delete(running))
        this.#running.add(running)
      }),
    )
  }
}
