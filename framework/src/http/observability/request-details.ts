import type { SpanDetails } from '../../tracing/active-span.ts'
import { detached } from '../../base/encoding/detached.ts'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import { otlpAttributes } from '../../tracing/otlp-span.ts'
import type { OtlpAttribute } from '../../tracing/otlp-span.ts'
import { shownPath } from '../request/shown-path.ts'
import type { Request } from '../request/request.ts'

const knownMethods: ReadonlySet<string> = new Set(
  'CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE'.split(' '),
)

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

  get key(): string {
    const { method, route, host, secure } = this.#request
    return `${method} ${this.#status} ${secure} ${host} ${route} ${shownPath(this.#request)}`
  }

  attributes(errorType: string): readonly OtlpAttribute[] {
    const { method, route, host, secure } = this.#request
    const shown = shownPath(this.#request).slice(0, maxPath)
    const path = paths.get(shown) ?? paths.set(detached(shown), pathAttributes(shown))
    const address = hosts.getOr(`${secure ? 'https' : 'http'} ${host}`, addressAttributes)
    const key = `${method} ${this.#status} ${errorType} ${route ?? ''}`
    return [...path, ...address, ...routes.getOr(key, () => this.#routeAttributes(errorType))]
  }

  #routeAttributes(errorType: string): readonly OtlpAttribute[] {
    const { method, route } = this.#request
    const isKnown = knownMethods.has(method)
    return otlpAttributes({
      'http.request.method': isKnown ? method : '_OTHER',
      'http.request.method_original': isKnown ? undefined : method,
      'http.route': route ?? undefined,
      'http.response.status_code': this.#status,
      'error.type': errorType === '' ? undefined : errorType,
    })
  }
}

// They repeat, and looking for secrets in them takes longer than the rest of a span.
const routes = new RecentTexts<readonly OtlpAttribute[]>(1_000)
const hosts = new RecentTexts<readonly OtlpAttribute[]>(100)
const paths = new RecentTexts<readonly OtlpAttribute[]>(100)

function pathAttributes(path: string): readonly OtlpAttribute[] {
  return otlpAttributes({ 'url.path': path })
}

function addressAttributes(key: string): readonly OtlpAttribute[] {
  const [scheme = '', host = ''] = key.split(' ')
  const url = URL.parse(`${scheme}://${host.slice(0, 256)}`)
  const port = Number(url?.port) || (scheme === 'https' ? 443 : 80)
  return otlpAttributes({
    'url.scheme': scheme,
    'server.address': url === null ? undefined : url.hostname,
    'server.port': url === null ? undefined : port,
  })
}
