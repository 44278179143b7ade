import type { Command } from 'commander'
import type { QueueFlags, QueueListFlags } from './commands/queue.ts'
import type { QueueRunFlags } from './commands/queue-run.ts'
import type { ExitStatus } from '../base/terminal/exit-status.ts'
import { concurrencyOption, environmentOption, projectOption } from './program-options.ts'
import type { Terminal } from '../base/terminal/terminal.ts'

/** Adds `framework queue` and its subcommands. */
export function addQueueCommands(
  program: Command,
  terminal: Terminal,
  ended: (status: ExitStatus) => void,
): void {
  const queue = program.command('queue').description('work on the queues of the project')

  queue
    .command('run')
    .description('run the jobs of a queue until stopped')
    .argument('<name>', 'name of the queue')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option('--once', 'stop when no job is waiting')
    .addOption(concurrencyOption())
    .action(async (name: string, flags: QueueRunFlags) => {
      const { runQueue } = await import('./commands/queue-run.ts')
      ended(await runQueue(name, flags, terminal))
    })

  queue
    .command('list')
    .description('list the queues: waiting, delayed, running and dead jobs')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option('--json', 'print JSON')
    .action(async (flags: QueueListFlags) => {
      const { listQueues } = await import('./commands/queue.ts')
      ended(await listQueues(flags, terminal))
    })

  queue
    .command('retry')
    .description('retry the dead jobs of a queue')
    .argument('<name>', 'name of the queue')
    .addOption(projectOption())
    .addOption(environmentOption())
    .action(async (name: string, flags: QueueFlags) => {
      const { retryQueue } = await import('./commands/queue.ts')
      ended(await retryQueue(name, flags, terminal))
    })

  queue
    .command('clear')
    .description('delete every job of a queue that is not running, including dead ones')
    .argument('<name>', 'name of the queue')
    .addOption(projectOption())
    .addOption(environmentOption())
    .action(async (name: string, flags: QueueFlags) => {
      const { clearQueue } = await import('./commands/queue.ts')
      ended(await clearQueue(name, flags, terminal))
    })
}
