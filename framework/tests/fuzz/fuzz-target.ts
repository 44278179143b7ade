import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Coverage } from './coverage.ts'
import { mutate, oneOf, randomOf } from './mutate.ts'

/** A parser that reads what strangers send. */
export interface FuzzTarget {
  readonly name: string
  /** What its language is made of. */
  readonly words?: readonly string[]
  /** Reads an input; throws if it is read wrongly, or refused in a way that is not documented. */
  readonly run: (input: Buffer) => unknown
}

/** An input that a target did not withstand. */
export class FuzzFailure extends Error {
  readonly input: string

  constructor(target: string, input: string, cause: unknown) {
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    super(`${target} fails on ${JSON.stringify(input.slice(0, 2_000))}\n${text}`, { cause })
    this.input = input
  }
}

/** No input of a few kilobytes may take longer, in milliseconds of the CPU. */
const maxMs = 500
/** Inputs between two looks at what has run. */
const batch = 50

/** What is known to lead far into a parser: a character is a byte. */
export function corpusOf(target: string): string[] {
  const text = readFileSync(join(import.meta.dirname, 'corpus', `${target}.json`), 'utf8')
  const inputs: unknown = JSON.parse(text)
  if (!Array.isArray(inputs)) throw new TypeError(`corpus/${target}.json is no list`)
  return inputs.map(String)
}

/**
 * Gives a target its corpus and then random changes of it. An input that runs code which none has run
 * before joins the corpus. Resolves with the corpus.
 * @throws FuzzFailure
 */
export async function fuzz(target: FuzzTarget, runs: number, seed: number): Promise<string[]> {
  const corpus = corpusOf(target.name)
  const words = target.words ?? []
  const random = randomOf(seed)
  const coverage = await Coverage.start()
  /** Runs inputs; whether one ran something new. */
  const isNew = async (inputs: readonly string[], keep: boolean): Promise<boolean> => {
    for (const input of inputs) await attempt(target, input)
    return coverage.hasNew(keep)
  }
  try {
    await isNew(corpus, true)
    for (let done = 0; done < runs; done += batch) {
      const inputs = Array.from({ length: Math.min(batch, runs - done) }, () =>
        mutate(oneOf(corpus, random) ?? '', corpus, words, random),
      )
      if (!(await isNew(inputs, false))) continue
      for (const input of inputs) {
        if (await isNew([input], true)) corpus.push(input)
      }
    }
  } finally {
    await coverage.stop()
  }
  return corpus
}

async function attempt(target: FuzzTarget, input: string): Promise<void> {
  const bytes = Buffer.from(input, 'latin1')
  const began = process.cpuUsage()
  try {
    await target.run(bytes)
  } catch (error) {
    throw new FuzzFailure(target.name, input, error)
  }
  const { user, system } = process.cpuUsage(began)
  if ((user + system) / 1000 > maxMs) {
    throw new FuzzFailure(
      target.name,
      input,
      new Error(`it takes more than ${maxMs} ms of the CPU`),
    )
  }
}
