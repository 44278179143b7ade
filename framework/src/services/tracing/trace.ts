import { Scopes } from '../activity/scopes.ts'
import { errorTypeOf } from './exception-attributes.ts'
import { noSpan } from './span.ts'
import type { Span } from './span.ts'
import { Tracers } from './tracer.ts'
import type { OpenSpan } from './tracer.ts'

/**
 * Runs `work` as a span of the current trace and returns its result: `await trace('price list', async
 * (span) => …)`. The span ends when the work returns, or when its promise settles; if it throws or
 * rejects, the span counts as failed and the error is passed on. While tracing is off only `work` runs.
 */
export function trace<T>(name: string, work: (span: Span) => T): T {
  if (Tracers.current === null) return work(noSpan)
  const span = Tracers.current.span(name)
  if (span === Scopes.current().span) return work(span)
  return Scopes.runSpan(span, () => runInSpan(span, work))
}

function runInSpan<T>(span: OpenSpan, work: (span: Span) => T): T {
  try {
    const result = work(span)
    if (result instanceof Promise) {
      result.then(
        () => span.end(),
        (thrown: unknown) => endFailed(span, thrown),
      )
    } else span.end()
    return result
  } catch (thrown) {
    endFailed(span, thrown)
    throw thrown
  }
}

function endFailed(span: OpenSpan, thrown: unknown): void {
  span.recordException(thrown).fail(errorTypeOf(thrown)).end()
}
