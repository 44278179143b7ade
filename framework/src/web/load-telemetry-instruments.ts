import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as Instruments from './telemetry-instruments.ts'

/** Loads what telemetry counts with: most processes that load the server never measure. */
export function loadTelemetryInstruments(): typeof Instruments {
  const ending = extname(import.meta.filename)
  return createRequire(import.meta.url)(`./telemetry-instruments${ending}`)
}
