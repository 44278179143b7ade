import { invalidArgument } from '../../base/errors.ts'
import { wantsJson } from '../errors/error-format.ts'
import { isForm } from '../request/form.ts'
import type { Request } from '../request/request.ts'

const maxPathLength = 2048

/** Tells requests of this site's pages from those of other sites, by their headers. */
export class CsrfOrigins {
  /** Origin of the site's public URL; null if it is not configured. */
  own: string | null = null
  readonly #trusted: ReadonlySet<string>

  /** @throws InvalidArgumentException for an invalid origin. */
  constructor(trusted: readonly string[]) {
    for (const origin of trusted) checkOrigin(origin)
    this.#trusted = new Set(trusted)
  }

  /** Why a request cannot come from a page of this site or a trusted one; null if it can. */
  objection(request: Request): string | null {
    const site = request.header('sec-fetch-site')
    if (site === 'cross-site') return 'its Sec-Fetch-Site header is "cross-site"'
    const origin = request.header('origin')
    if (origin === undefined) return null
    if (origin === 'null') return nullObjection(site)
    if (this.#isOwn(origin, request) || this.#trusted.has(origin)) return null
    return (
      `its origin ${origin.slice(0, 200)} is neither ${request.host} nor ` +
      `${this.own ?? 'the URL of the site (APP_URL)'} nor trusted`
    )
  }

  /** Path and query of the page of this site that sent the request; null if unknown. */
  page(request: Request): string | null {
    const url = URL.parse(request.header('referer') ?? '')
    if (url === null || !this.#isOwn(url.origin, request)) return null
    const path = url.pathname + url.search
    // Browsers take a path with two leading slashes for another site.
    return path.startsWith('//') || path.length > maxPathLength ? null : path
  }

  #isOwn(origin: string, request: Request): boolean {
    if (origin === this.own) return true
    const host = request.host.toLowerCase()
    if (origin === `https://${host}`) return true
    // An unencrypted page may have been tampered with, so it is not trusted by an encrypted site.
    if (origin === `http://${host}`) return !request.secure
    return isSameHost(origin, host, request.secure)
  }
}

/** Whether a browser sent a form and will show the response; scripts get a status instead. */
export function isBrowserForm(request: Request): boolean {
  if (request.hasBody && !isForm(request.type)) return false
  const mode = request.header('sec-fetch-mode')
  return (mode === undefined || mode === 'navigate') && !wantsJson(request)
}

// Browsers hide the origin of sandboxed and `data:` pages, and of pages with `no-referrer`.
function nullObjection(site: string | undefined): string | null {
  if (site === undefined || site === 'same-origin' || site === 'none') return null
  return 'it was sent by a page that hides its origin'
}

/** The same comparison, for a host with the default port of its scheme. */
function isSameHost(origin: string, host: string, isSecure: boolean): boolean {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin) return false
  if (isSecure && url.protocol !== 'https:') return false
  return URL.parse(`${url.protocol}//${host}`)?.host === url.host
}

function checkOrigin(origin: string): void {
  if (URL.parse(origin)?.origin === origin) return
  throw invalidArgument(
    `"${origin}" is not an origin; use only scheme, host and port, such as https://admin.example`,
  )
}
