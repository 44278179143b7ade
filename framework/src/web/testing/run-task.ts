import { Channel } from '../../services/logs/channel.ts'
import type { Task } from '../../services/schedule/task.ts'

/** Options of `runTask`. */
export interface RunTaskOptions {
  /** The time that the run is for. @default now */
  readonly due?: Date
  /** @default one that is never aborted */
  readonly signal?: AbortSignal
}

/**
 * Runs a task of the schedule once, in this process and without a store: `await runTask(weeklyReport,
 * app.services, { due: new Date('2026-12-01') })`. What it logs is dropped. Rejects with what it throws.
 */
export async function runTask<Services>(
  task: Task<Services>,
  services: NoInfer<Services>,
  { due = new Date(), signal = new AbortController().signal }: RunTaskOptions = {},
): Promise<void> {
  const log = new Channel('schedule', { sinks: [], level: 'silent' })
  await task.run({ services, due, signal, log })
}
