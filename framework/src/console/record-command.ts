import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { maskText } from '../base/mask-text.ts'
import { Scopes } from '../activity/scopes.ts'
import type * as RecordProcess from '../devtools/inspector/record-process.ts'
import { CommandActivity } from './command-activity.ts'
import { ExitStatus } from '../base/terminal/exit-status.ts'

const require = createRequire(import.meta.url)

/**
 * Records the current command, and the jobs that it runs, for the inspector of a project. Does nothing
 * where there is no command, as in `framework serve`, which records its requests. `minRepeats` is how
 * often a statement from one line counts as N+1; 0 for never.
 */
export function recordCommand(root: string, minRepeats: number): void {
  const { activity } = Scopes.current()
  if (!(activity instanceof CommandActivity)) return
  const { recorder, stop } = loadRecordProcess().recordProcess({ root, minRepeats })
  recorder.begin(activity)
  activity.ended = async (status, thrown) => {
    const { title, words } = activity
    if (thrown !== null) {
      Scopes.runActivity(activity, () => recorder.report(thrown, { origin: 'command' }))
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

// Loaded in development only.
function loadRecordProcess(): typeof RecordProcess {
  return require(`../devtools/inspector/record-process${extname(import.meta.filename)}`)
}
