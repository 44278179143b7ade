import { performance } from 'node:perf_hooks'
import type { Works } from './work.ts'

let reads = 0

/** What no telemetry can do without: the time before and the time after. */
export const works: Works = {
  'request-telemetry': {
    run: (count) => {
      for (let at = 0; at < count; at++) {
        const startMs = performance.now()
        // The sign of a difference never changes; it keeps V8 from leaving the reads out.
        if (performance.now() - startMs >= 0) reads += 1
      }
    },
    result: () => reads,
  },
}
