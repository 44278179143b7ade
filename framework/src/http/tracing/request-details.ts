import { BoundedCache } from '../../tracing/bounded-cache.ts'
import type { SpanDetails } from '../../tracing/active-span.ts'
import type { SpanKinds } from '../../tracing/span.ts'
import { attributesJson, inOnePiece, restBytes } from '../../tracing/span-json.ts'
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

/** The attributes of a request's span. They show no secret parameter. */
export class RequestDetails implements SpanDetails {
  readonly #request: Request
  readonly #status: number

  constructor(request: Request, status: number) {
    this.#request = request
    this.#status = status
  }

  get name(): string {
    const { method, route } = this.#request
    const known = knownMethods.has(method) ? method : 'HTTP'
    return route === null ? known : `${known} ${route}`
  }

  attributes(errorType: string): string {
    const { method, route, host, secure } = this.#request
    const shown = shownPath(this.#request)
    const path = paths.get(shown.slice(0, maxPath), pathJson)
    const address = hosts.get(`${secure ? 'https' : 'http'} ${host}`, addressJson)
    const key = `${method} ${this.#status} ${errorType} ${route ?? ''}`
    return `${path},${address},${routes.get(key, () => this.#routeJson(errorType))}`
  }

  rest(kind: SpanKinds): Uint8Array | null {
    const { method, route, host, secure, path, params } = this.#request
    // Others differ from each other, or a stranger made them up.
    if (route === null || Object.keys(params).length > 0) return null
    const status = this.#status
    const known = rests.find(path)
    if (
      known !== undefined &&
      known.kind === kind &&
      known.status === status &&
      known.method === method &&
      known.route === route &&
      known.host === host &&
      known.secure === secure
    ) {
      return known.bytes
    }
    const bytes = restBytes(this.name, kind, this.attributes(''))
    return rests.keep(path, { kind, status, method, route, host, secure, bytes }).bytes
  }

  #routeJson(errorType: string): string {
    const { method, route } = this.#request
    const isKnown = knownMethods.has(method)
    return inOnePiece(
      attributesJson({
        'http.request.method': isKnown ? method : '_OTHER',
        'http.request.method_original': isKnown ? undefined : method,
        'http.route': route ?? undefined,
        'http.response.status_code': this.#status,
        'error.type': errorType === '' ? undefined : errorType,
      }),
    )
  }
}

/** What follows the frame of a request's span. */
interface Rest {
  readonly kind: SpanKinds
  readonly status: number
  readonly method: string
  readonly route: string
  readonly host: string
  readonly secure: boolean
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
