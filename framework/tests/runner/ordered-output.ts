import type { Readable, Writable } from 'node:stream'

/**
 * Shows the output of several concurrent programs as if they had run one after the other: the first one
 * live, the others when it is their turn.
 */
export class OrderedOutput {
  readonly #target: Writable
  readonly #turns: Turn[] = []

  constructor(target: Writable) {
    this.#target = target
  }

  /**
   * Queues a program's output. Its turn lasts until all given streams are closed; they are read
   * immediately, so that the program never blocks.
   */
  turn(title: string): (streams: readonly Readable[]) => void {
    const turn: Turn = { waiting: [title], open: 1 }
    this.#turns.push(turn)
    return (streams) => {
      turn.open = streams.length
      for (const stream of streams) {
        stream.on('data', (chunk: Buffer) => {
          turn.waiting.push(chunk)
          this.#show()
        })
        stream.on('close', () => {
          turn.open -= 1
          this.#show()
        })
      }
      this.#show()
    }
  }

  #show(): void {
    for (;;) {
      const [turn] = this.#turns
      if (turn === undefined) return
      for (const chunk of turn.waiting.splice(0)) this.#target.write(chunk)
      if (turn.open > 0) return
      this.#turns.shift()
    }
  }
}

interface Turn {
  readonly waiting: (string | Buffer)[]
  /** Streams that are still open. */
  open: number
}
