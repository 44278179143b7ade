import { CurrentWork } from '../activity/current-work.ts'
import { Steps, failureCode } from '../activity/steps.ts'
import { errorTypeOf } from './exception-attributes.ts'
import { noSpan } from './span.ts'
import type { Span } from './span.ts'
import { Tracers } from './tracer.ts'

/**
 * Runs `work` as a span of the current trace and returns its result: `await trace('price list', async
 * (span) => …)`. The span ends when the work returns, or when its promise settles; if it throws or
 * rejects, the span counts as failed and the error is passed on. The inspector shows it in its
 * timeline; elsewhere only `work` runs while tracing is off.
 */
export function trace<T>(name: string, work: (span: Span) => T): T {
  const step = Steps.Instance.beginSpan(name)
  if (step === null) return inSpan(name, work)
  const inStep = (): T => inSpan(name, work)
  return settle(
    inStep,
    () => step.end(0, null),
    (thrown) => step.end(0, failureCode(thrown)),
  )
}

function inSpan<T>(name: string, work: (span: Span) => T): T {
  if (Tracers.current === null) return work(noSpan)
  const span = Tracers.current.span(name)
  if (span === CurrentWork.context().span) return work(span)
  const failed = (thrown: unknown): void =>
    span.recordException(thrown).fail(errorTypeOf(thrown)).end()
  return CurrentWork.runSpan(span, () =>
    settle(
      () => work(span),
      () => span.end(),
      failed,
    ),
  )
}

/** Runs `work`, and tells when it returned or its promise settled. */
function settle<T>(work: () => T, ended: () => void, failed: (thrown: unknown) => void): T {
  try {
    const result = work()
    if (result instanceof Promise) result.then(ended, failed)
    else ended()
    return result
  } catch (thrown) {
    failed(thrown)
    throw thrown
  }
}
