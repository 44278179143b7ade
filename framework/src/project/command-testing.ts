import type { Channel } from '../logs/channel.ts'
import type { FoundCommand } from './command-parser.ts'
import type { BoundCommand } from './command.ts'

/** How a command of a project under test ended. */
export interface CommandOutcome {
  /** Its exit status; 2 for words that it does not understand. */
  readonly status: number
  /** The lines that it printed. */
  readonly lines: readonly string[]
  /** What is wrong with the words; empty if nothing is. */
  readonly errors: string
}

/** The commands of a project under test. */
export class TestCommands {
  readonly #commands: () => readonly BoundCommand[]
  readonly #log: Channel

  constructor(commands: () => readonly BoundCommand[], log: Channel) {
    this.#commands = commands
    this.#log = log
  }

  /**
   * Runs a command in this process with the services of the project, and with words as they would
   * follow its name on the command line: `run('names:add', ['Ada', '--dry-run'])`.
   * @throws what the command throws.
   */
  async run(name: string, words: readonly string[] = []): Promise<CommandOutcome> {
    const { Command, CommanderError } = await import('commander')
    const { commandParser } = await import('./command-parser.ts')
    const commands = this.#commands()
    const lines: string[] = []
    let status = 0
    let errors = ''
    const found: FoundCommand = async (chosen, given) => {
      const command = commands.find((one) => one.name === chosen)
      const print = (line: string): void => void lines.push(line)
      const { signal } = new AbortController()
      status = (await command?.run({ signal, print, log: this.#log }, given)) ?? status
    }
    const parent = new Command().exitOverride().configureOutput({
      writeOut: (text) => void lines.push(...text.trimEnd().split('\n')),
      writeErr: (text) => void (errors += text),
    })
    try {
      const parser = commandParser(commands, parent, found)
      await parser.parseAsync([name, ...words], { from: 'user' })
    } catch (thrown) {
      if (!(thrown instanceof CommanderError)) throw thrown
      status = thrown.exitCode === 0 ? 0 : 2
    }
    return { status, lines, errors }
  }
}
