import { FrameworkError } from '../../base/errors.ts'
import { task } from '../../schedule/task.ts'
import type { Task, TaskRules, TaskTimes } from '../../schedule/task.ts'
import type { Sweeps } from '../sweepable.ts'
import { sweepAll } from './sweep-all.ts'

/** The task `sweep`, which does what `framework sweep` does. */
export function sweepTask(options: TaskTimes & TaskRules): Task<Sweeps> {
  return task('sweep', options).run<Sweeps>(async ({ services: sweeps, log }) => {
    const results = await sweepAll(sweeps)
    const dropped = results.filter((result) => (result.dropped ?? 0) > 0)
    log.info('swept', Object.fromEntries(dropped.map((result) => [result.name, result.dropped])))
    // Each error was reported by itself.
    const failed = results.filter(({ error }) => error !== null).map(({ name }) => name)
    if (failed.length > 0) throw new FrameworkError('E_TASK', `cannot sweep ${failed.join(', ')}`)
  })
}
