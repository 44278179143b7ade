import type { Sink } from '../../logs/sink.ts'
import { Recorder } from './recorder.ts'

/** Passes log lines to the recorder of the process, if there is one. */
export const recordedLines: Sink = {
  dropped: 0,
  write: (line) => Recorder.Instance?.line(line),
  flush: () => Promise.resolve(),
  flushSync() {},
  close: () => Promise.resolve(),
}
