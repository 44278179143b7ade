import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Throwables } from '../../src/errors/throwables/throwables.ts'
import { Channel } from '../../src/logs/channel.ts'
import type { Sink } from '../../src/logs/sink.ts'
import type { Observability } from '../../src/metrics/observability.ts'
import { bindTasks } from '../../src/schedule/bound-task.ts'
import { MemorySchedule } from '../../src/schedule/memory-schedule.ts'
import { ScheduleRunner } from '../../src/schedule/schedule-runner.ts'
import type { ScheduleRunnerOptions } from '../../src/schedule/schedule-runner.ts'
import type { ScheduleStore } from '../../src/schedule/schedule-store.ts'
import type { TaskResult } from '../../src/schedule/bound-task.ts'
import type { Task } from '../../src/schedule/task.ts'

/** What a bench is made of. */
export interface BenchOptions {
  readonly store?: ScheduleStore
  readonly registry?: Observability | null
  readonly lease?: number
  readonly wait?: ScheduleRunnerOptions['wait']
}

/** A schedule with a clock that the test moves. */
export class ScheduleBench {
  /** Epoch milliseconds. */
  nowMs: number
  readonly store: ScheduleStore
  readonly throwables: Throwables = createThrowables()
  readonly errors: Error[] = []
  readonly results: TaskResult[] = []
  /** The messages of the log. */
  readonly lines: string[] = []
  readonly #options: BenchOptions
  readonly #sink: Sink = {
    dropped: 0,
    write: (line) => void this.lines.push(String(JSON.parse(line).message)),
    flush: () => Promise.resolve(),
    flushSync: () => {},
    close: () => Promise.resolve(),
  }

  constructor(start: string, options: BenchOptions = {}) {
    this.nowMs = Date.parse(start)
    this.store = options.store ?? new MemorySchedule()
    this.#options = options
    this.throwables.add((error) => this.errors.push(error))
  }

  /** A process with these tasks, which its test lets look. */
  runner(tasks: readonly Task<null>[]): ScheduleRunner {
    const { registry = null, lease = 60, wait } = this.#options
    return new ScheduleRunner({
      tasks: bindTasks(tasks, null, 'UTC'),
      store: this.store,
      log: new Channel('schedule', { sinks: [this.#sink] }),
      ...(wait !== undefined && { wait }),
      lease,
      nowMs: () => this.nowMs,
      throwables: this.throwables,
      registry,
      onResult: (result) => void this.results.push(result),
    })
  }

  /** Moves the clock, and lets a process look and finish. */
  async at(time: string, runner: ScheduleRunner): Promise<void> {
    this.nowMs = Date.parse(time)
    await runner.look()
    await runner.settled()
  }
}
