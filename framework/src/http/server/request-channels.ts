import type { EventChannel } from '../../events/event-channel.ts'
import type { Emitter } from '../../events/emitter.ts'
import { RequestEvents } from '../request/request-events.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'

/**
 * Emits the events of every request. `EventChannel.emit` is written out here for fixed arguments:
 * collecting them in a rest parameter would cost as much as all of telemetry.
 */
export class RequestChannels {
  readonly #received: EventChannel<[request: Request]>
  readonly #gone: EventChannel<[request: Request]>
  readonly #handled: EventChannel<[request: Request, response: Response]>

  constructor(emitter: Emitter) {
    this.#received = emitter.channel(RequestEvents.Received)
    this.#gone = emitter.channel(RequestEvents.Gone)
    this.#handled = emitter.channel(RequestEvents.Handled)
  }

  received(request: Request): void {
    const channel = this.#received
    const { listeners } = channel
    for (let at = 0; at < listeners.length; at += 1) {
      try {
        channel.follow(listeners[at]?.(request))
      } catch (thrown) {
        channel.fail(thrown)
      }
    }
  }

  /** Whether `Gone` has listeners. */
  get watchesGone(): boolean {
    return this.#gone.hasListeners
  }

  gone(request: Request): void {
    this.#gone.emit(request)
  }

  handled(request: Request, response: Response): void {
    const channel = this.#handled
    const { listeners } = channel
    for (let at = 0; at < listeners.length; at += 1) {
      try {
        channel.follow(listeners[at]?.(request, response))
      } catch (thrown) {
        channel.fail(thrown)
      }
    }
  }
}
