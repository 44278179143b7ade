import { isSecretKey } from '../../base/is-secret-key.ts'
import { REDACTED, decoded } from '../../base/mask-named.ts'
import type { Request } from './request.ts'

/** The path without its query, and without the values of secret parameters such as `:verifier`. */
export function shownPath({ path, params }: Pick<Request, 'path' | 'params'>): string {
  const secrets = new Set<string>()
  for (const [name, value] of Object.entries(params)) {
    if (isSecretKey(name)) for (const part of String(value).split('/')) secrets.add(part)
  }
  if (secrets.size === 0) return path
  return path
    .split('/')
    .map((part) => (containsSecret(part, secrets) ? REDACTED : part))
    .join('/')
}

// A parameter may contain an encoded slash; then only part of a segment equals the secret.
function containsSecret(part: string, secrets: ReadonlySet<string>): boolean {
  if (part === '') return false
  return decoded(part)
    .split('/')
    .some((piece) => piece !== '' && secrets.has(piece))
}
