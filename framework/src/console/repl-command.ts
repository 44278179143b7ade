import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { start } from 'node:repl'
import type { REPLServer } from 'node:repl'
import { PassThrough } from 'node:stream'
import { createPrivateFolder } from '../base/files/private-files.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { untilSignal } from '../base/terminal/until-signal.ts'
import type { OpenProject } from '../project/start/open-project.ts'

/**
 * Evaluates what is typed with the services of a project in scope, until `.exit`. Without a terminal it is
 * what is piped in, until the first line that fails, with the exit status 1.
 */
export async function replCommand(
  { name, environment, services, configs, logs }: OpenProject,
  root: string,
  { interactive }: Pick<Terminal, 'interactive'>,
): Promise<ExitStatus> {
  const piped = new PassThrough()
  const repl = start({
    prompt: interactive ? `${name} ${environment}> ` : '',
    input: interactive ? process.stdin : piped,
    output: process.stdout,
    terminal: interactive,
    // In a context of its own it would have other classes, so that no Date of it is one for the framework.
    useGlobal: true,
    ignoreUndefined: true,
  })
  for (const [word, value] of Object.entries({ ...services, services, configs, logs })) {
    // The framework has the same globals: a service called `crypto` is `services.crypto` only.
    if (!(word in globalThis)) Object.defineProperty(repl.context, word, { value, writable: true })
  }
  const { signal, release } = untilSignal()
  const ended = Promise.race([once(repl, 'exit'), once(signal, 'abort')])
  try {
    if (interactive) keepHistory(repl, resolve(root, 'storage'))
    await Promise.race([ended, ...(interactive ? [] : [evaluateLines(repl, piped)])])
  } finally {
    repl.close()
    release()
  }
  // What it was stopped in may keep the process running; after a failure it exits.
  const failed = signal.aborted || (!interactive && hasFailed(repl))
  return failed ? ExitStatus.UserError : ExitStatus.Ok
}

// What was typed may be a secret; Node lets nobody else read the file that it creates.
function keepHistory(repl: REPLServer, storage: string): void {
  createPrivateFolder(storage)
  repl.setupHistory(join(storage, 'repl-history'), () => {})
}

// One after another: without a terminal the REPL does not wait for a line that awaits something.
async function evaluateLines(repl: REPLServer, piped: PassThrough): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const { promise, resolve: next } = Promise.withResolvers<void>()
    repl.displayPrompt = () => next()
    piped.write(`${line}\n`)
    await promise
    if (hasFailed(repl)) return
  }
}

function hasFailed({ context }: REPLServer): boolean {
  return context['_error'] !== undefined
}
