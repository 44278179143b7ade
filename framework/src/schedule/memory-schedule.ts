import { ScheduleStore } from './schedule-store.ts'
import type { TaskState } from './schedule-store.ts'

/** A schedule in the memory of one process: for tests, and for projects that are one process. */
export class MemorySchedule extends ScheduleStore {
  readonly #states = new Map<string, TaskState>()

  async list(): Promise<readonly TaskState[]> {
    return [...this.#states.values()].toSorted((a, b) => (a.task < b.task ? -1 : 1))
  }

  async find(task: string): Promise<TaskState | null> {
    return this.#states.get(task) ?? null
  }

  protected async add(state: TaskState): Promise<void> {
    this.#states.set(state.task, state)
  }

  protected async replace(seen: TaskState, next: TaskState): Promise<boolean> {
    if (this.#states.get(seen.task) !== seen) return false
    this.#states.set(seen.task, next)
    return true
  }

  protected async drop({ task }: TaskState): Promise<boolean> {
    return this.#states.delete(task)
  }
}
