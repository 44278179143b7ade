import { HttpError } from 'framework/http'
import type { Request } from 'framework/http'
import { SecurityEvents, emitSecurityEvent } from 'framework/security'

/** The 404 for an id that is unknown or belongs to another account; it is in the security log. */
export function foreignId(request: Request): HttpError {
  emitSecurityEvent(SecurityEvents.ForeignId, request)
  return new HttpError(404)
}
