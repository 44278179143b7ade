import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { lateModule } from '../base/late-module.ts'
import { maskText } from '../base/mask-text.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import { Activity, ActivityKinds } from '../activity/activity.ts'
import { CurrentWork } from '../activity/current-work.ts'
import type * as RecordProcess from '../devtools/inspector/record-process.ts'

// In development only.
const loadRecordProcess: () => typeof RecordProcess = lateModule(
  import.meta,
  '../devtools/inspector/record-process',
)

/** A command of the console that is being run. */
export class CommandActivity extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Command
  readonly id: string = randomUUID()
  readonly account = null
  /** Its name, such as `queue run`; known when the command line has been parsed. */
  title = 'framework'
  /** The words after the name that are no options. */
  words: readonly string[] = []
  /** Called when it has ended, with its status and the error that ended it, or null. */
  ended: ((status: number, thrown: unknown) => Promise<void>) | null = null
}

/** The activity of a command line; null for a server, whose requests are the activities. */
export function activityOf(program: Command, argv: readonly string[]): CommandActivity | null {
  if (argv.find((word) => !word.startsWith('-')) === 'serve') return null
  const activity = new CommandActivity()
  program.hook('preAction', (_program, command) => {
    activity.title = nameOf(command)
    activity.words = command.args
  })
  return activity
}

/** The name of a command with those of the commands it belongs to, without the program: `queue run`. */
function nameOf(command: Command): string {
  const { parent } = command
  if (parent === null) return ''
  return `${nameOf(parent)} ${command.name()}`.trim()
}

/**
 * Records the current command, and the jobs that it runs, for the inspector of a project. Does nothing
 * where there is no command, as in `framework serve`, which records its requests. `minRepeats` is how
 * often a statement from one line counts as N+1; 0 for never.
 */
export function recordCommand(root: string, minRepeats: number): void {
  const { activity } = CurrentWork.context()
  if (!(activity instanceof CommandActivity)) return
  const { recorder, stop } = loadRecordProcess().recordProcess({ root, minRepeats })
  recorder.begin(activity)
  activity.ended = async (status, thrown) => {
    const { title, words } = activity
    if (thrown !== null) {
      CurrentWork.runActivity(activity, () => recorder.report(thrown, { origin: 'command' }))
    }
    recorder.end(activity, () => ({
      subject: maskText([title, ...words].join(' ')).slice(0, 500),
      status: String(status),
      failed: status !== ExitStatus.Ok,
      phases: [],
      tables: [],
    }))
    await stop()
  }
}
