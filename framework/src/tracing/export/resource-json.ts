import { hostname } from 'node:os'
import { attributesJson } from '../span-json.ts'
import type { SpanAttributes } from '../span.ts'

/**
 * The resource of every span as OTLP JSON: what runs here. Given attributes replace
 * computed ones, except for the name of the service.
 */
export function resourceJson(service: string, given: SpanAttributes): string {
  const attributes = {
    'service.instance.id': hostname(),
    'host.name': hostname(),
    'process.pid': process.pid,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
    'telemetry.sdk.name': 'framework',
    'telemetry.sdk.language': 'nodejs',
    ...given,
    'service.name': service,
  }
  return `{"attributes":[${attributesJson(attributes)}]}`
}
