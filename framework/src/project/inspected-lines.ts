import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { Environments } from '../settings/environments.ts'
import type * as RecordedLines from '../devtools/inspector/recorder.ts'
import type { Sink } from '../logs/sink.ts'

const require = createRequire(import.meta.url)

/** The sink through which the inspector gets log lines; none, and nothing loaded, outside development. */
export function inspectedLines(environment: Environments): readonly Sink[] {
  if (environment !== Environments.Development) return []
  const ending = extname(import.meta.filename)
  const lines: typeof RecordedLines = require(`../devtools/inspector/recorder${ending}`)
  return [lines.recordedLines]
}
