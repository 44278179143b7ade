import { Throwables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { JobEvents, JobOutcomes } from '../../queue/job.ts'
import { TaskEvents, TaskOutcomes } from '../../schedule/bound-task.ts'
import type { RecordedTable } from './activity-record.ts'
import { RecordFile, recordPath } from './record-file.ts'
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

/** Records every attempt of a job. Returns a function that stops it. */
export function recordJobs(recorder: Recorder, emitter: Emitter): () => void {
  const stops = [
    emitter.listen(JobEvents.Began, (activity) => recorder.begin(activity)),
    emitter.listen(JobEvents.Ended, (activity, { outcome, attempt, reason, delay }) =>
      recorder.end(activity, () => ({
        subject: activity.title,
        status: outcome,
        failed: outcome !== JobOutcomes.Done,
        phases: [],
        tables: [
          tableOf('Job', {
            attempt: String(attempt),
            'failed with': reason,
            'next attempt': delay === 0 ? null : `in ${delay} s`,
          }),
        ],
      })),
    ),
  ]
  return () => stops.forEach((stop) => stop())
}

/** Records every run of a task. Returns a function that stops it. */
export function recordTasks(recorder: Recorder, emitter: Emitter): () => void {
  const stops = [
    emitter.listen(TaskEvents.Began, (activity) => recorder.begin(activity)),
    emitter.listen(TaskEvents.Ended, (activity, { due, outcome, reason }) =>
      recorder.end(activity, () => ({
        subject: activity.title,
        status: outcome,
        failed: outcome !== TaskOutcomes.Done,
        phases: [],
        tables: [tableOf('Task', { due: due.toISOString(), 'failed with': reason })],
      })),
    ),
  ]
  return () => stops.forEach((stop) => stop())
}

function tableOf(title: string, rows: Readonly<Record<string, string | null>>): RecordedTable {
  const shown = Object.entries(rows).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  )
  return { title, rows: shown }
}
