import type { Emitter } from '../../events/emitter.ts'
import { JobEvents, JobOutcomes } from '../../queue/job.ts'
import type { Recorder } from './recorder.ts'

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
          {
            title: 'Job',
            rows: [
              ['attempt', String(attempt)],
              ...(reason === null ? [] : ([['failed with', reason]] as const)),
              ...(delay === 0 ? [] : ([['next attempt', `in ${delay} s`]] as const)),
            ],
          },
        ],
      })),
    ),
  ]
  return () => stops.forEach((stop) => stop())
}
