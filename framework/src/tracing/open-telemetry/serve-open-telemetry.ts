import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as Api from '@opentelemetry/api'
import { otelContexts } from './otel-contexts.ts'
import { otelPropagator } from './otel-propagator.ts'
import { otelTracers } from './otel-tracers.ts'
import type { Tracing } from '../tracing.ts'

/**
 * Becomes the implementation behind `@opentelemetry/api` if the project has that package, so that the
 * spans of other libraries join ours. Does nothing if another one is there. Returns a function that
 * takes it back.
 */
export function serveOpenTelemetry(tracing: Tracing, root: string): () => void {
  const api = loadApi(root)
  if (api === null || !api.trace.setGlobalTracerProvider(otelTracers(api, tracing))) return () => {}
  api.context.setGlobalContextManager(otelContexts(api))
  if (tracing.propagates) api.propagation.setGlobalPropagator(otelPropagator(api))
  return () => {
    api.trace.disable()
    api.context.disable()
    api.propagation.disable()
  }
}

// From the project: the copy that its other packages use.
function loadApi(root: string): typeof Api | null {
  try {
    return createRequire(join(root, 'package.json'))('@opentelemetry/api')
  } catch (thrown) {
    const code: unknown = thrown instanceof Error && 'code' in thrown ? thrown.code : null
    if (code === 'MODULE_NOT_FOUND') return null
    throw thrown
  }
}
