import { InvalidArgumentException } from '../../base/errors.ts'
import type { Request } from '../request/request.ts'

const maxPathLength = 2048

/** Tells requests of this site's own pages from those of others, by what browsers say of them. */
export class CsrfOrigins {
  /** Origin of the address under which people reach the site; null when nobody said. */
  own: string | null = null
  readonly #trusted: ReadonlySet<string>

  /** @throws InvalidArgumentException for what is no origin. */
  constructor(trusted: readonly string[]) {
    for (const origin of trusted) checkOrigin(origin)
    this.#trusted = new Set(trusted)
  }

  /** Why a request cannot be from a page of this site or a trusted one; null when it can. */
  objection(request: Request): string | null {
    const site = request.header('sec-fetch-site')
    if (site === 'cross-site') return 'the browser says that another site has sent it'
    const origin = request.header('origin')
    if (origin === undefined) return null
    if (origin === 'null') return nullObjection(site)
    if (this.#isOwn(origin, request) || this.#trusted.has(origin)) return null
    return (
      `it was sent by a page of ${origin.slice(0, 200)}, which is neither ${request.host} nor ` +
      `${this.own ?? 'the address of the site (APP_URL)'} nor trusted`
    )
  }

  /** Path and query of the page of this site that sent the request; null when none says so. */
  page(request: Request): string | null {
    const url = URL.parse(request.header('referer') ?? '')
    if (url === null || !this.#isOwn(url.origin, request)) return null
    const path = url.pathname + url.search
    // Browsers read two slashes as the beginning of another site.
    return path.startsWith('//') || path.length > maxPathLength ? null : path
  }

  #isOwn(origin: string, request: Request): boolean {
    if (origin === this.own) return true
    const host = request.host.toLowerCase()
    if (origin === `https://${host}`) return true
    // A page that came unencrypted may be anybody's; it does not speak for an encrypted site.
    if (origin === `http://${host}`) return !request.secure
    return isSameHost(origin, host, request.secure)
  }
}

// A privacy setting of the page makes browsers hide its origin, and so do pages of nowhere.
function nullObjection(site: string | undefined): string | null {
  if (site === undefined || site === 'same-origin' || site === 'none') return null
  return 'it was sent by a page that hides its origin'
}

/** The same for a host that was written with the usual port of its scheme. */
function isSameHost(origin: string, host: string, isSecure: boolean): boolean {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin) return false
  if (isSecure && url.protocol !== 'https:') return false
  return URL.parse(`${url.protocol}//${host}`)?.host === url.host
}

function checkOrigin(origin: string): void {
  if (URL.parse(origin)?.origin === origin) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `"${origin}" is not an origin; write scheme, host and port only, such as https://admin.example`,
  )
}
