import { event } from '../../services/events/event.ts'
import type { Event } from '../../services/events/event.ts'
import type { Response } from '../response/response.ts'
import type { Request } from './request.ts'

/**
 * What the server tells about a request: `Received` when it arrived, `Gone` when its client went away
 * before the handler had answered, `Handled` once it is over.
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
