import type { Readable, Writable } from 'node:stream'

/**
 * Shows what several programs write at once as if they had run one after the other: the first one
 * live, what the others write meanwhile when their turn has come.
 */
export class OrderedOutput {
  readonly #target: Writable
  readonly #turns: Turn[] = []

  constructor(target: Writable) {
    this.#target = target
  }

  /**
   * Gives a program its turn behind those that have one. It lasts until all streams that are handed
   * over are closed; they are read at once, so that the program never waits.
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
  /** Streams that are not closed. */
  open: number
}
