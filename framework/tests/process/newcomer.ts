import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { RunningCommand, runCommand } from '../support/command.ts'
import { withCurl } from '../support/curl.ts'
import { freePort } from '../support/free-port.ts'
import { waitFor } from '../support/wait-for.ts'
import { install, tarballOf, tsc } from './new-project-workshop.ts'
import type { Workshop } from './new-project-workshop.ts'

const shell = promisify(execFile)

/**
 * A reader with two terminals who types the commands of a guide. npm is simulated: packages come from
 * this machine, and a script runs its line of `package.json`.
 */
export class Newcomer {
  /** The working folder. */
  folder: string
  readonly #t: TestContext
  #program: readonly string[]
  readonly #port: number
  #server: RunningCommand | null = null

  private constructor(t: TestContext, { folder, program }: Workshop, port: number) {
    this.#t = t
    this.folder = folder
    this.#program = program
    this.#port = port
  }

  static async arrive(t: TestContext, workshop: Workshop): Promise<Newcomer> {
    return new Newcomer(t, workshop, await freePort())
  }

  /** Types the commands, repeating the last one until it prints these lines: a server takes a moment. */
  async run(commands: readonly string[], shown: readonly string[]): Promise<void> {
    for (const command of commands) {
      const output = await this.#type(command)
      if (command !== commands.at(-1) || shows(output, shown)) continue
      const what = `${command} to show\n${shown.join('\n')}`
      await waitFor(what, async () => shows(await this.#type(command), shown))
    }
  }

  /** Opens a page in a browser once the server is up. */
  async look(path: string): Promise<string> {
    const headers = { accept: 'text/html' }
    const url = `http://127.0.0.1:${this.#port}${path}`
    const ask = (): Promise<Response | undefined> => fetch(url, { headers }).catch(() => undefined)
    return (await waitFor(path, ask)).text()
  }

  /** Stops the server. */
  async leave(): Promise<void> {
    assert.equal(await this.#server?.stop(), 0, this.#server?.stderr)
  }

  async #type(command: string): Promise<string> {
    const [word = '', ...more] = command.split(' ')
    if (word === 'cd') this.folder = join(this.folder, more.join(' '))
    else if (command === 'npm install') this.#install()
    else if (word === 'npm') return this.#script(command)
    else if (word === 'npx') return this.#node(this.#words(command.replace(/^.*?\bframework /, '')))
    else if (word === 'curl') return this.#ask(command)
    else assert.fail(`what is ${command}?`)
    return ''
  }

  #install(): void {
    const tarball = join(this.folder, 'vendor', tarballOf(this.folder))
    // From now on npx finds the command of the project.
    this.#program = [install(this.folder, tarball)]
  }

  async #script(command: string): Promise<string> {
    const [, name = '', more = ''] = /^npm (?:run )?(\w+)(?: --)?(.*)$/.exec(command) ?? []
    const { scripts } = JSON.parse(readFileSync(join(this.folder, 'package.json'), 'utf8'))
    const [program = '', ...words] = `${scripts[name]}${more}`.split(' ')
    if (name === 'dev') return this.#serve(words)
    if (program === 'framework') return this.#node(this.#words(words.join(' ')))
    return this.#node(program === 'tsc' ? [tsc, ...words] : words)
  }

  #words(words: string): string[] {
    return [...this.#program, ...words.split(' ')]
  }

  async #serve(words: readonly string[]): Promise<string> {
    const env = { PORT: String(this.#port) }
    const options = { cwd: this.folder, program: this.#program, env }
    this.#server = new RunningCommand(this.#t, words, options)
    return this.#server.url()
  }

  async #node(program: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await runCommand(this.#t, [], { cwd: this.folder, program })
    assert.equal(status, 0, `${program.join(' ')}\n${stdout}${stderr}`)
    return stdout
  }

  async #ask(command: string): Promise<string> {
    const line = command.replace(':8087', `:${this.#port}`)
    const patient = withCurl(`${line} --silent --retry 5 --retry-all-errors`)
    const { stdout } = await shell('sh', ['-c', patient])
    return stdout
  }
}

/** Whether an output has all these lines; `…` matches anything, and all whitespace is equal. */
export function shows(output: string, lines: readonly string[]): boolean {
  const whole = output.replaceAll(/\s+/g, ' ')
  const pieces = lines.flatMap((line) => line.split('…'))
  return pieces.every((piece) => whole.includes(piece.replaceAll(/\s+/g, ' ')))
}
