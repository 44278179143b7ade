import type { JobResult } from '../../queue/job.ts'
import type { Channel } from '../../logs/channel.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import { findWorker, withProjectQueues } from '../project-queues.ts'
import type { ProjectFlags } from '../project-queues.ts'
import { QueueProgress } from '../queue-progress.ts'
import { untilSignal } from '../until-signal.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** Options of `framework queue run`. */
export interface QueueRunFlags extends ProjectFlags {
  readonly once?: boolean
  readonly concurrency?: number
}

/** Runs the jobs of a queue. A signal stops it after the running jobs, a second one immediately. */
export function runQueue(
  name: string,
  { once = false, concurrency = 1, ...flags }: QueueRunFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return withProjectQueues(flags, async ({ workers, logs }) => {
    const worker = findWorker(workers, name)
    const channel = logs.channel('queue')
    const { waiting, delayed, dead } = await worker.queue.counts()
    terminal.out(`${name} has ${waiting} waiting, ${delayed} delayed, ${dead} dead jobs\n`)
    const progress = new QueueProgress(worker.queue, terminal)
    const { signal, release } = untilSignal()
    try {
      const tally = await worker.run({
        once,
        concurrency,
        signal,
        onResult: (result) => progress.add(result, () => log(channel, name, result)),
      })
      progress.stop()
      terminal.out(`${name}: ${tally.done} done, ${tally.failed} failed, ${tally.dead} dead\n`)
      return ExitStatus.Ok
    } finally {
      progress.stop()
      release()
    }
  })
}

/** Logs failed and dead jobs; finished ones are only counted. */
function log(channel: Channel, queue: string, result: JobResult): void {
  const { outcome, id: job, attempt, reason, delay } = result
  if (outcome === 'done') return
  const again = outcome === 'failed' ? { again: delay } : {}
  channel.warn(`job ${outcome}`, { queue, job, attempt, reason, ...again })
}
