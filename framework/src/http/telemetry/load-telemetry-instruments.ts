import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as Instruments from './telemetry-instruments.ts'

/** Loaded on first use: most processes that load the server have no telemetry. */
export function loadTelemetryInstruments(): typeof Instruments {
  const ending = extname(import.meta.filename)
  return createRequire(import.meta.url)(`./telemetry-instruments${ending}`)
}
