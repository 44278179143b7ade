import type { Emitter } from '../../events/emitter.ts'
import { TaskEvents, TaskOutcomes } from '../../schedule/bound-task.ts'
import type { Recorder } from './recorder.ts'

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
        tables: [
          {
            title: 'Task',
            rows: [
              ['due', due.toISOString()],
              ...(reason === null ? [] : ([['failed with', reason]] as const)),
            ],
          },
        ],
      })),
    ),
  ]
  return () => stops.forEach((stop) => stop())
}
