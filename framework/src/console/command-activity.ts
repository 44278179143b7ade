import { randomUUID } from 'node:crypto'
import { Activity, ActivityKinds } from '../activity/activity.ts'

/** Called when a command has ended, with its status and the error that ended it, or null. */
export type CommandEnded = (status: number, thrown: unknown) => Promise<void>

/** A command of the console that is being run. */
export class CommandActivity extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Command
  readonly id: string = randomUUID()
  readonly account = null
  /** Its name, such as `queue run`; known when the command line has been parsed. */
  title = 'framework'
  /** The words after the name that are no options. */
  words: readonly string[] = []
  /** Set by what follows it to the end. */
  ended: CommandEnded | null = null
}
