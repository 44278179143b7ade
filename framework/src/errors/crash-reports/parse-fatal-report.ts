import { FatalErrors } from './error-exception.ts'
import type { FatalError } from './error-exception.ts'
import { framesOf } from '../stack/frames.ts'
import { nearestLocation } from '../stack/nearest-location.ts'

const maxCalls = 32
const maxMessageLength = 1_000
/** Triggers that Node writes a report for by itself; any other report was requested. */
const fatalTriggers = new Set<unknown>(['FatalError', 'OOMError'])

/**
 * Reads a Node diagnostic report. Returns the fatal error it describes, `'requested'` for a report
 * that was asked for (by a signal, for example), and null for anything that is not a report.
 */
export function parseFatalReport(text: string): FatalError | 'requested' | null {
  const report = parse(text)
  const header = isRecord(report) ? report['header'] : null
  if (!isRecord(report) || !isRecord(header)) return null
  const { event, trigger } = header
  if (typeof event !== 'string') return null
  if (!fatalTriggers.has(trigger)) return 'requested'
  const trace = callsIn(report['javascriptStack'])
  const location = locationIn(trace)
  return {
    type: FatalErrors.E_ERROR,
    message: event.slice(0, maxMessageLength),
    file: location?.file ?? '',
    line: location?.line ?? 0,
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

function locationIn(trace: readonly string[]): ReturnType<typeof nearestLocation> {
  const probe = new Error()
  probe.stack = ['Error', ...trace.map((call) => `    ${call}`)].join('\n')
  return nearestLocation(framesOf(probe))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
