import { FatalErrors } from './error-exception.ts'
import type { FatalError } from './error-exception.ts'
import { framesOf } from '../stack/frames.ts'
import { nearestPlace } from '../stack/nearest-place.ts'

const maxCalls = 32
const maxMessageLength = 1_000
/** What makes Node write a report by itself; other reports are wanted by somebody. */
const fatalTriggers = new Set<unknown>(['FatalError', 'OOMError'])

/**
 * Reads a diagnostic report of Node: the fatal error it is about, `wanted` for one that is about
 * none, null for what is no report.
 */
export function parseFatalReport(text: string): FatalError | 'wanted' | null {
  const report = parse(text)
  const header = isRecord(report) ? report['header'] : null
  if (!isRecord(report) || !isRecord(header)) return null
  const { event, trigger } = header
  if (typeof event !== 'string') return null
  if (!fatalTriggers.has(trigger)) return 'wanted'
  const trace = callsIn(report['javascriptStack'])
  const place = placeIn(trace)
  return {
    type: FatalErrors.E_ERROR,
    message: event.slice(0, maxMessageLength),
    file: place?.file ?? '',
    line: place?.line ?? 0,
    trace,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function callsIn(javascriptStack: unknown): string[] {
  const stack = isRecord(javascriptStack) ? javascriptStack['stack'] : null
  if (!Array.isArray(stack)) return []
  return stack
    .slice(0, maxCalls)
    .filter((line) => typeof line === 'string')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
}

function placeIn(trace: readonly string[]): ReturnType<typeof nearestPlace> {
  const probe = new Error()
  probe.stack = ['Error', ...trace.map((call) => `    ${call}`)].join('\n')
  return nearestPlace(framesOf(probe))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
