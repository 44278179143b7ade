import { Throwables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { RecordFile, recordPath } from './record-file.ts'
import { recordJobs } from './record-jobs.ts'
import { recordTasks } from './record-tasks.ts'
import { RecordWriter } from './record-writer.ts'
import { Recorder } from './recorder.ts'

/** A process whose activities are recorded. */
export interface RecordedProcess {
  readonly recorder: Recorder
  /** Writes what is left and stops. */
  readonly stop: () => Promise<void>
}

/** What is recorded, and where. */
export interface RecordProcessOptions {
  /** Folder of the project. */
  readonly root: string
  /** How often a statement from one line counts as N+1; 0 for never. */
  readonly minRepeats: number
  /** @default those of the process */
  readonly throwables?: Pick<Throwables, 'add'>
}

/** Starts recording the jobs and tasks of this process, and the activities that its recorder is told about. */
export function recordProcess(options: RecordProcessOptions): RecordedProcess {
  const { root, minRepeats, throwables = Throwables } = options
  const writer = new RecordWriter(new RecordFile(recordPath(root)))
  const recorder = new Recorder(writer.keep, minRepeats)
  const stops = [
    recorder.start(),
    recordJobs(recorder, Emitter.Instance),
    recordTasks(recorder, Emitter.Instance),
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
