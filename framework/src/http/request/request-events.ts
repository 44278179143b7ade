import { event } from '../../events/emitter.ts'
import type { Event } from '../../events/emitter.ts'
import type { Response } from '../response/response.ts'
import type { Request } from './request.ts'

/**
 * Emitted by the server: `Received` when a request arrives, `Gone` if the client disconnects before
 * the handler is done, `Handled` when the request is finished.
 */
export const RequestEvents: {
  readonly Received: Event<[request: Request]>
  readonly Gone: Event<[request: Request]>
  readonly Handled: Event<[request: Request, response: Response]>
} = Object.freeze({
  Received: event<[request: Request]>('request.received'),
  Gone: event<[request: Request]>('request.gone'),
  Handled: event<[request: Request, response: Response]>('request.handled'),
})
