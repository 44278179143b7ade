import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { performance } from 'node:perf_hooks'
import { maskText } from '../../base/mask-text.ts'
import { Scopes } from '../activity/scopes.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { OpenStep } from '../activity/steps.ts'
import { ActiveSpan } from './active-span.ts'
import { errorTypeOf } from './exception-attributes.ts'
import { SpanKinds } from './span.ts'
import { formatTraceparent } from './trace-context.ts'

/**
 * Makes a span of every `fetch` inside another span, and sends `traceparent` and `tracestate` along. It
 * listens to the channels on which Node's client tells what it does. Returns a function that stops it.
 */
export function traceFetches(propagates: boolean): () => void {
  const calls = new WeakMap<object, Call>()
  const listeners = {
    'undici:request:create': (message: unknown) => {
      const request = requestIn(message)
      const call = request === null ? null : begin(request, propagates)
      if (request !== null && call !== null) calls.set(request, call)
    },
    'undici:request:headers': (message: unknown) => callIn(message)?.answered(statusIn(message)),
    'undici:request:trailers': (message: unknown) => callIn(message)?.end(),
    'undici:request:error': (message: unknown) => callIn(message)?.failed(member(message, 'error')),
  }
  const callIn = (message: unknown): Call | undefined => {
    const request = member(message, 'request')
    return typeof request === 'object' && request !== null ? calls.get(request) : undefined
  }
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener)
  }
}

/** A request of Node's HTTP client. */
interface ClientRequest {
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly headers: unknown
  addHeader(name: string, value: string): unknown
}

/** A `fetch` on its way. */
class Call {
  readonly #span: ActiveSpan | null
  readonly #step: OpenStep | null
  #status = 0
  #isEnded = false

  constructor(span: ActiveSpan | null, step: OpenStep | null) {
    this.#span = span
    this.#step = step
  }

  answered(status: number): void {
    this.#status = status
    this.#span?.setAttribute('http.response.status_code', status)
    if (status >= 400) this.#span?.fail(String(status))
  }

  failed(error: unknown): void {
    this.#span?.fail(errorTypeOf(error))
    this.#end('error')
  }

  end(): void {
    this.#end(this.#status >= 400 ? String(this.#status) : null)
  }

  #end(failure: string | null): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#step?.end(0, failure)
    this.#span?.end()
  }
}

function begin(request: ClientRequest, propagates: boolean): Call | null {
  const { span } = Scopes.current()
  // Exports, and everything else that belongs to no request, job or command.
  if (!(span instanceof ActiveSpan)) return null
  const { method, origin } = request
  const call = new ActiveSpan(span.trace, span, method, SpanKinds.Client, performance.now())
  if (propagates && !hasTraceparent(request.headers)) {
    const { context } = call
    request.addHeader('traceparent', formatTraceparent(context))
    if (context.state !== '') request.addHeader('tracestate', context.state)
  }
  if (call.isRecording()) describe(call, request)
  return new Call(call, Steps.Instance.begin(StepKinds.Fetch, method, origin))
}

function describe(span: ActiveSpan, { method, origin, path }: ClientRequest): void {
  const url = URL.parse(origin)
  if (url === null) return
  // The query often has keys and values of users.
  const [plain = ''] = path.split('?')
  span.setAttributes({
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    'url.full': maskText(url.origin + plain),
  })
}

// A list of names and values, or a text in older versions.
function hasTraceparent(headers: unknown): boolean {
  if (typeof headers === 'string') return /^traceparent:/im.test(headers)
  if (!Array.isArray(headers)) return false
  return headers.some((one, at) => at % 2 === 0 && String(one).toLowerCase() === 'traceparent')
}

function requestIn(message: unknown): ClientRequest | null {
  const request = member(message, 'request')
  return isClientRequest(request) ? request : null
}

function isClientRequest(value: unknown): value is ClientRequest {
  return (
    typeof member(value, 'addHeader') === 'function' &&
    typeof member(value, 'method') === 'string' &&
    typeof member(value, 'path') === 'string'
  )
}

function statusIn(message: unknown): number {
  const status = member(member(message, 'response'), 'statusCode')
  return typeof status === 'number' ? status : 0
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
