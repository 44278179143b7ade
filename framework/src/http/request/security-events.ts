import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { Emitter, event } from '../../events/emitter.ts'
import type { Event } from '../../events/emitter.ts'
import { HttpError } from '../errors/http-error.ts'
import type { Request } from './request.ts'

/** A refused request: who, from where, on which route and when. It contains nothing that was typed. */
export interface SecurityEventPayload {
  /** Id of the signed-in account; null for a guest, or before a guard has looked. */
  readonly user: string | null
  /** Address of the client. */
  readonly peer: string
  /** Method and pattern of the route, such as `POST /login`; null if no route matched. */
  readonly route: string | null
  /** Id of the request. */
  readonly request: string
  /** Epoch seconds. */
  readonly at: number
}

/** A security event. Listeners receive one payload. */
export type SecurityEvent = Event<[payload: SecurityEventPayload]>

const declare = (name: string): SecurityEvent => event<[payload: SecurityEventPayload]>(name)

/** The names of the security events. */
export type SecurityEventName =
  | 'LimitExceeded'
  | 'TokenRefused'
  | 'OriginRefused'
  | 'Forbidden'
  | 'ForeignId'

/**
 * What was refused, whoever tried. Refused sign-ins, thefts and confirmations are `AuthEvents`;
 * `SecurityLog` records both.
 */
export const SecurityEvents: Readonly<Record<SecurityEventName, SecurityEvent>> = Object.freeze({
  /** A rate limit was exceeded: a request was refused with 429. */
  LimitExceeded: declare('security.limit'),
  /** The CSRF token of a form was missing or wrong; an expired form looks the same. */
  TokenRefused: declare('security.csrf'),
  /** An unsafe request came from a page of another site. */
  OriginRefused: declare('security.origin'),
  /** A handler refused a request with 403. */
  Forbidden: declare('security.forbidden'),
  /** An id was used that does not exist or belongs to another account. */
  ForeignId: declare('security.foreign_id'),
})

/** The part of a request that an event reports. */
type EventOrigin = Pick<Request<unknown>, 'id' | 'peer' | 'method' | 'route' | 'identity'>

/** Emits a security event about a request. Without a listener it does nothing. */
export function emitSecurityEvent(
  securityEvent: SecurityEvent,
  request: EventOrigin,
  emitter: Emitter = Emitter.Instance,
): void {
  if (!emitter.hasListeners(securityEvent)) return
  const { id, peer, identity } = request
  const user = identity?.id ?? null
  const at = Math.floor(epochSeconds())
  const payload = { user, peer, route: routeLabel(request), request: id, at }
  emitter.emit(securityEvent, Object.freeze(payload))
}

const refusals: ReadonlyMap<number, SecurityEvent> = new Map([
  [403, SecurityEvents.Forbidden],
  [429, SecurityEvents.LimitExceeded],
])

/**
 * Emits the security event of a thrown 403 or 429. Here rather than where they are thrown, so that the
 * refusals of a project are in the security log without any code.
 */
export function emitRefusal(thrown: unknown, request: EventOrigin, emitter: Emitter): void {
  const event = thrown instanceof HttpError ? refusals.get(thrown.status) : undefined
  if (event !== undefined) emitSecurityEvent(event, request, emitter)
}

/** Method and pattern of a route: the path itself may contain the secret of a link. */
export function routeLabel({ method, route }: Pick<Request, 'method' | 'route'>): string | null {
  return route === null ? null : `${method} ${route}`
}

/**
 * An account id or digest for a log line; null for anything else. Numbers, UUIDs and the like pass, an
 * e-mail does not: user input passed by mistake in place of an id must not reach the log.
 */
export function loggedId(id: unknown): string | null {
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : null
}
