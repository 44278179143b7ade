import { Emitter } from '../events/emitter.ts'
import type { Event, PayloadOf } from '../events/emitter.ts'

/** Records events of a project under test. */
export class TestEvents {
  readonly #stops: (() => void)[] = []

  /**
   * Records an event from now on: each time it is emitted, its payload is added to the list that this
   * returns.
   */
  record<E extends Event<readonly unknown[]>>(
    event: E,
    emitter: Emitter = Emitter.Instance,
  ): readonly PayloadOf<E>[] {
    const payloads: PayloadOf<E>[] = []
    const record = (...payload: PayloadOf<E>): void => void payloads.push(payload)
    this.#stops.push(emitter.listen(event, record))
    return payloads
  }

  /** Stops recording. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop()
  }
}
