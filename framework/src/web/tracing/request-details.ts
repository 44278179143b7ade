import { BoundedCache } from '../../services/tracing/bounded-cache.ts'
import type { SpanDetails } from '../../services/tracing/active-span.ts'
import type { SpanKinds } from '../../services/tracing/span.ts'
import { attributesJson, inOnePiece, restBytes } from '../../services/tracing/span-json.ts'
import { shownPath } from '../errors/report-context.ts'
import type { Request } from '../request/request.ts'

const knownMethods: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
])

const maxPath = 1_024

/** The attributes of a request's span. It keeps little of the request, and shows no secret parameter. */
export class RequestDetails implements SpanDetails {
  readonly #method: string
  readonly #route: string | null
  readonly #path: string
  readonly #params: Request['params']
  readonly #host: string
  readonly #secure: boolean
  readonly #status: number

  constructor(request: Request, status: number) {
    this.#method = request.method
    this.#route = request.route
    this.#path = request.path
    this.#params = request.params
    this.#host = request.host
    this.#secure = request.secure
    this.#status = status
  }

  get name(): string {
    const method = knownMethods.has(this.#method) ? this.#method : 'HTTP'
    return this.#route === null ? method : `${method} ${this.#route}`
  }

  attributes(errorType: string): string {
    const shown = shownPath({ path: this.#path, params: this.#params })
    const path = paths.get(shown.slice(0, maxPath), pathJson)
    const address = hosts.get(`${this.#secure ? 'https' : 'http'} ${this.#host}`, addressJson)
    const key = `${this.#method} ${this.#status} ${errorType} ${this.#route ?? ''}`
    return `${path},${address},${routes.get(key, () => this.#routeJson(errorType))}`
  }

  rest(kind: SpanKinds): Uint8Array | null {
    // Others differ from each other, or a stranger made them up.
    if (this.#route === null || Object.keys(this.#params).length > 0) return null
    const known = rests.find(this.#path)
    if (known !== undefined && known.kind === kind && this.#equals(known.details))
      return known.bytes
    const bytes = restBytes(this.name, kind, this.attributes(''))
    return rests.keep(this.#path, { details: this, kind, bytes }).bytes
  }

  #equals(other: RequestDetails): boolean {
    return (
      this.#status === other.#status &&
      this.#method === other.#method &&
      this.#route === other.#route &&
      this.#host === other.#host &&
      this.#secure === other.#secure
    )
  }

  #routeJson(errorType: string): string {
    const isKnown = knownMethods.has(this.#method)
    return inOnePiece(
      attributesJson({
        'http.request.method': isKnown ? this.#method : '_OTHER',
        'http.request.method_original': isKnown ? undefined : this.#method,
        'http.route': this.#route ?? undefined,
        'http.response.status_code': this.#status,
        'error.type': errorType === '' ? undefined : errorType,
      }),
    )
  }
}

/** What follows the frame of a request's span. */
interface Rest {
  readonly details: RequestDetails
  readonly kind: SpanKinds
  readonly bytes: Uint8Array
}

// Routes repeat: most of a span is written once.
const rests = new BoundedCache<Rest>(1_000)
const routes = new BoundedCache<string>(1_000)
const hosts = new BoundedCache<string>(100)
const paths = new BoundedCache<string>(100)

function pathJson(path: string): string {
  return inOnePiece(attributesJson({ 'url.path': path }))
}

function addressJson(key: string): string {
  const [scheme = '', host = ''] = key.split(' ')
  const url = URL.parse(`${scheme}://${host.slice(0, 256)}`)
  const port = Number(url?.port) || (scheme === 'https' ? 443 : 80)
  return inOnePiece(
    attributesJson({
      'url.scheme': scheme,
      'server.address': url === null ? undefined : url.hostname,
      'server.port': url === null ? undefined : port,
    }),
  )
}
