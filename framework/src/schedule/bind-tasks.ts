import type { Task, TaskContext } from './task.ts'

/** A task with the services it runs with. */
export interface BoundTask extends Omit<Task<never>, 'run'> {
  readonly run: (context: Omit<TaskContext<never>, 'services'>) => unknown
}

/** Binds tasks to the services of a project. */
export function bindTasks<Services>(
  tasks: readonly Task<Services>[],
  services: Services,
): readonly BoundTask[] {
  return tasks.map((task) => ({ ...task, run: (context) => task.run({ ...context, services }) }))
}
