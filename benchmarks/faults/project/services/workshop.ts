import { EventEmitter } from 'node:events'
import { planted } from '../fault.ts'

const bench = new EventEmitter()
const sketches: string[][] = []

/** Estimates of repairs. */
export function estimate(id: number): number {
  if (planted('blocked')) simulate(3000)
  if (planted('leak')) sketch(id)
  if (planted('listeners')) follow(id)
  return 20 + (id % 7)
}

/** Follows the workbench until an instrument is done; the listener stays. */
function follow(id: number): void {
  bench.on('done', (done: number) => done === id) // planted: listeners
}

function sketch(id: number): void {
  for (let page = 0; page < 4_000; page += 1) {
    sketches.push(Array.from({ length: 20 }, (_, line) => `${id}/${page}/${line}`)) // planted: leak
  }
}

function simulate(milliseconds: number): number {
  const end = performance.now() + milliseconds
  let wear = 0
  while (performance.now() < end) {
    for (let day = 0; day < 10_000; day += 1) wear += Math.sqrt(wear + day) // planted: blocked
  }
  return wear
}

/** Reminds the workshop of what is due. */
export function remindLater(): void {
  setTimeout(() => {
    const due: string[] | null = planted('timer') ? null : []
    for (const name of due as string[]) bench.emit('due', name) // planted: timer
  }, 50)
}
