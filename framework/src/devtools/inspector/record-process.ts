import type { Activity } from '../../activity/activity.ts'
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
    recordWork(recorder, Emitter.Instance),
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

/** Records every attempt of a job and every run of a task. Returns a function that stops it. */
export function recordWork(recorder: Recorder, emitter: Emitter): () => void {
  const begin = (activity: Activity): void => recorder.begin(activity)
  const end = (activity: Activity, status: string, table: () => RecordedTable): void =>
    recorder.end(activity, () => {
      const failed = status !== JobOutcomes.Done && status !== TaskOutcomes.Done
      return { subject: activity.title, status, failed, phases: [], tables: [table()] }
    })
  const stops = [
    emitter.listen(JobEvents.Began, begin),
    emitter.listen(JobEvents.Ended, (activity, { outcome, attempt, reason, delay }) =>
      end(activity, outcome, () => {
        const next = delay === 0 ? null : `in ${delay} s`
        const rows = { attempt: String(attempt), 'failed with': reason, 'next attempt': next }
        return tableOf('Job', rows)
      }),
    ),
    emitter.listen(TaskEvents.Began, begin),
    emitter.listen(TaskEvents.Ended, (activity, { due, outcome, reason }) =>
      end(activity, outcome, () =>
        tableOf('Task', { due: due.toISOString(), 'failed with': reason }),
      ),
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
