import type { ReportContext } from '../../base/debugging/throwables.ts'
import { REDACTED } from '../../base/mask-text.ts'
import { isSecretKey } from '../../base/secret-key.ts'
import type { Request } from '../request/request.ts'

/** What reporters learn of the request a throwable came from. */
export function reportContext(request: Request | null): ReportContext {
  if (request === null) return { interface: 'WPI' }
  return {
    interface: 'WPI',
    method: request.method,
    URI: shownPath(request),
    peer: request.peer,
    request: request.id,
  }
}

/** The path without its query, and without the values of secret parameters such as `:verifier`. */
export function shownPath({ path, params }: Request): string {
  const secrets = new Set<string>()
  for (const [name, value] of Object.entries(params)) {
    if (isSecretKey(name)) for (const part of value.split('/')) secrets.add(part)
  }
  if (secrets.size === 0) return path
  return path
    .split('/')
    .map((part) => (part !== '' && secrets.has(decoded(part)) ? REDACTED : part))
    .join('/')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
