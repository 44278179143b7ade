import { Throwables } from '../../base/throwables/throwables.ts'
import { Emitter } from '../events/emitter.ts'
import { RecordFile, recordPath } from './record-file.ts'
import { recordJobs } from './record-jobs.ts'
import { RecordWriter } from './record-writer.ts'
import { Recorder } from './recorder.ts'

/** A process whose activities are recorded. */
export interface RecordedProcess {
  readonly recorder: Recorder
  /** Writes what is left and stops. */
  readonly stop: () => Promise<void>
}

/** Starts recording the jobs of this process, and the activities that its recorder is told about. */
export function recordProcess(
  root: string,
  throwables: Pick<Throwables, 'add'> = Throwables,
): RecordedProcess {
  const writer = new RecordWriter(new RecordFile(recordPath(root)))
  const recorder = new Recorder(writer.keep)
  const stops = [
    recorder.start(),
    recordJobs(recorder, Emitter.Instance),
    throwables.add(recorder.report),
  ]
  return {
    recorder,
    stop: () => {
      for (const stop of stops) stop()
      return writer.close()
    },
  }
}
