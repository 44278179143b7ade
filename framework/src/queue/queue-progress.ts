import type { JobOutcomes, JobResult } from './job.ts'
import type { Queue } from './queue.ts'
import type { Terminal } from '../base/terminal/terminal.ts'

const redrawMs = 200
const countMs = 1_000
const clearLine = '\r\u001B[K'

/** Shows the progress in one line of a screen; prints nothing to files and pipes. */
export class QueueProgress {
  readonly #queue: Queue
  readonly #terminal: Terminal
  readonly #tally: Record<JobOutcomes, number> = { done: 0, failed: 0, dead: 0, lost: 0 }
  readonly #startMs = performance.now()
  readonly #timers: NodeJS.Timeout[] = []
  #waiting = ''
  #shown = ''

  constructor(queue: Queue, terminal: Terminal) {
    this.#queue = queue
    this.#terminal = terminal
    if (!terminal.screen) return
    this.#timers.push(setInterval(() => this.#draw(), redrawMs).unref())
    this.#timers.push(setInterval(() => void this.#count(), countMs).unref())
    void this.#count()
  }

  /** Counts a result; `print` may write its own lines while the progress is hidden. */
  add({ outcome }: JobResult, print: () => void): void {
    this.#tally[outcome] += 1
    this.#hide()
    print()
  }

  /** Removes the line. */
  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    this.#hide()
  }

  #draw(): void {
    const { bold, green, yellow, red, dim } = this.#terminal.paint
    const { done, failed, dead } = this.#tally
    const seconds = (performance.now() - this.#startMs) / 1_000
    const parts = [
      bold(this.#queue.name),
      `${green(String(done))} done`,
      failed > 0 ? `${yellow(String(failed))} failed` : '',
      dead > 0 ? `${red(String(dead))} dead` : '',
      this.#waiting,
      dim(`${(done / seconds).toFixed(done < 10 * seconds ? 1 : 0)} a second`),
    ]
    const line = parts.filter((part) => part !== '').join('  ')
    if (line === this.#shown) return
    this.#terminal.out(clearLine + line)
    this.#shown = line
  }

  #hide(): void {
    if (this.#shown !== '') this.#terminal.out(clearLine)
    this.#shown = ''
  }

  // A failure to count is ignored.
  async #count(): Promise<void> {
    const counts = await this.#queue.counts().catch(() => null)
    this.#waiting = counts === null ? '' : `${counts.waiting} waiting`
  }
}
