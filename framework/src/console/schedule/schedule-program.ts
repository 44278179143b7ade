import type { Command } from 'commander'
import type { ScheduleListFlags } from '../commands/schedule-list.ts'
import type { ScheduleRunFlags } from '../commands/schedule-run.ts'
import { environmentOption, projectOption } from '../program-options.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** Adds `framework schedule` and its subcommands. */
export function addScheduleCommands(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  const schedule = program.command('schedule').description('run the tasks of the project')

  schedule
    .command('run')
    .description('run tasks when they are due until stopped, or one of them now')
    .argument('[task]', 'task to run now')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option('--once', 'run what is due now, then stop')
    .action(async (task: string | undefined, flags: ScheduleRunFlags) => {
      const { runSchedule } = await import('../commands/schedule-run.ts')
      ended(await runSchedule(task ?? null, flags, terminal))
    })

  schedule
    .command('list')
    .description('list the tasks: when they are due, and how they last ended')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option('--json', 'print JSON')
    .action(async (flags: ScheduleListFlags) => {
      const { listSchedule } = await import('../commands/schedule-list.ts')
      ended(await listSchedule(flags, terminal))
    })
}
