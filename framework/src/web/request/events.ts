import { event } from '../../services/events/event.ts'
import type { Event } from '../../services/events/event.ts'
import type { Response } from '../response/response.ts'
import type { Request } from './request.ts'

/** What the server tells about a request: `Received` when it arrived, `Handled` once it is over. */
export const RequestEvents: {
  readonly Received: Event<[request: Request]>
  readonly Handled: Event<[request: Request, response: Response]>
} = Object.freeze({
  Received: event<[request: Request]>('request.received'),
  Handled: event<[request: Request, response: Response]>('request.handled'),
})
