import type { Middleware } from '../http/router/middleware.ts'
import { Sessions } from '../http/session/sessions.ts'
import type { SecurityRequirement } from './route-access.ts'

/** A security scheme of the document. */
export type SecurityScheme = Readonly<Record<string, string>>

/** The schemes that these requirements name, sorted. */
export function securitySchemes(
  requirements: readonly SecurityRequirement[],
  middlewares: readonly Middleware[],
): Readonly<Record<string, SecurityScheme>> {
  const names = [...new Set(requirements.flatMap((one) => Object.keys(one)))].toSorted()
  const sessions = middlewares.find((one) => one instanceof Sessions)
  return Object.fromEntries(
    names.map((name) => [name, schemeNamed(name, sessions?.cookieName ?? 'session')]),
  )
}

function schemeNamed(name: string, cookie: string): SecurityScheme {
  if (name === 'session') {
    const description = 'The session of somebody who has signed in with a browser.'
    return { type: 'apiKey', in: 'cookie', name: cookie, description }
  }
  if (name === 'csrf') {
    const description =
      'The token of the session, which pages of the site have. It shows that a request comes from one of ' +
      'them. A form may send it in its field `_token` instead.'
    return { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description }
  }
  return { type: 'http', scheme: name }
}
