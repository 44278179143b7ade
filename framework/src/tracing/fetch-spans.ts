import { performance } from 'node:perf_hooks'
import { maskText } from '../base/mask-text.ts'
import { followFetches } from '../activity/fetch-calls.ts'
import type { ClientRequest, FetchEnd } from '../activity/fetch-calls.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { ActiveSpan } from './active-span.ts'
import { errorTypeOf } from './exception-attributes.ts'
import { SpanKinds } from './span.ts'
import { formatTraceparent } from './trace-context.ts'

/**
 * Makes a span of every `fetch` inside another span, and sends `traceparent` and `tracestate` along.
 * Returns a function that stops it.
 */
export function traceFetches(propagates: boolean): () => void {
  return followFetches((request) => begin(request, propagates))
}

function begin(request: ClientRequest, propagates: boolean): FetchEnd | null {
  const { span } = CurrentWork.context()
  // Exports, and everything else that belongs to no request, job or command.
  if (!(span instanceof ActiveSpan)) return null
  const call = new ActiveSpan(span.trace, span, request.method, SpanKinds.Client, performance.now())
  if (propagates && !hasTraceparent(request.headers)) {
    const { context } = call
    request.addHeader('traceparent', formatTraceparent(context))
    if (context.state !== '') request.addHeader('tracestate', context.state)
  }
  if (call.isRecording()) describe(call, request)
  return (status, error) => {
    if (status !== 0) call.setAttribute('http.response.status_code', status)
    if (status >= 400) call.fail(String(status))
    if (error !== null) call.fail(errorTypeOf(error))
    call.end()
  }
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
