import { ConfigurationError } from '../base/errors.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import type { Channel } from '../logs/channel.ts'
import type { BoundTask, TaskResult } from './bound-task.ts'
import { MemorySchedule } from './memory-schedule.ts'
import { ScheduleRunner } from './schedule-runner.ts'

/**
 * The schedule of a project under test. Nothing runs by itself. It has a store of its own, since no other
 * process runs these tasks.
 */
export class TestSchedule {
  readonly #runner: ScheduleRunner
  readonly #results: TaskResult[] = []
  readonly #errors: Error[] = []

  private constructor(tasks: readonly BoundTask[], log: Channel) {
    const throwables = createThrowables()
    throwables.add((error) => this.#errors.push(error))
    this.#runner = new ScheduleRunner({
      // However far the clock has travelled, nothing is missed.
      tasks: tasks.map((task) => ({ ...task, graceMs: 0, catchUp: 'once' })),
      store: new MemorySchedule(),
      log,
      throwables,
      registry: null,
      onResult: (result) => void this.#results.push(result),
    })
  }

  /** Tasks are due from now on. */
  static async open(tasks: readonly BoundTask[], log: Channel): Promise<TestSchedule> {
    const schedule = new TestSchedule(tasks, log)
    await schedule.#runner.register()
    return schedule
  }

  /**
   * Runs a task now, whether or not it is due. Its `due` is the given one, or else now.
   * @throws ConfigurationError if there is no such task, or what the task throws.
   */
  async run(task: string, { due }: { readonly due?: Date } = {}): Promise<TaskResult> {
    const result = await this.#runner.runNow(task, due)
    this.#results.length = 0
    this.#rethrow()
    if (result !== null) return result
    throw new ConfigurationError('E_SCHEDULE', `the task ${task} is running already`)
  }

  /**
   * Runs the tasks that have become due since the last call, or since the project was started. A task
   * that was due several times runs once, for the last of them.
   * @throws what the first task to fail throws, after all have run.
   */
  async work(): Promise<readonly TaskResult[]> {
    await this.#runner.look()
    await this.#runner.settled()
    const results = this.#results.splice(0)
    this.#rethrow()
    return results
  }

  #rethrow(): void {
    const [error] = this.#errors.splice(0)
    if (error !== undefined) throw error
  }
}
