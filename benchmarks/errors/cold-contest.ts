import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ColdPage } from './cold-page.ts'
import { Renderers } from './renderers.ts'

/** First pages of one renderer, each in its own process. */
export interface ColdScore {
  readonly renderer: Renderers
  readonly pages: readonly ColdPage[]
}

const run = promisify(execFile)
const script = `${import.meta.dirname}/cold-page.ts`

/** Starts a process for each page, the renderers in turn, one at a time. */
export async function playCold(spawns: number): Promise<readonly ColdScore[]> {
  const scores = Object.values(Renderers).map((renderer) => ({
    renderer,
    pages: Array.of<ColdPage>(),
  }))
  for (let number = 1; number <= spawns; number += 1) {
    console.error(`cold pages: ${number} of ${spawns}`)
    for (const { renderer, pages } of scores) {
      const { stdout } = await run(process.execPath, [script, renderer])
      pages.push(JSON.parse(stdout))
    }
  }
  return scores
}
