import { existsSync } from 'node:fs'

/** A server that takes part. */
export interface Entrant {
  /** A file `servers/<name>.ts`, or `servers/<name>/server.ts`. */
  readonly name: string
  readonly label: string
  /** Tasks that it cannot do. @default [] */
  readonly lacks?: readonly string[]
}

/** Labels that the targets and the report look up. */
export const Labels = { Ours: 'ours', ByHand: 'node:http by hand' } as const

/** Every server, in the order in which it is started. */
export const entrants: readonly Entrant[] = [
  { name: 'ours', label: Labels.Ours },
  { name: 'by-hand', label: Labels.ByHand },
  { name: 'fastify', label: 'Fastify' },
  // Its compression knows gzip and deflate.
  { name: 'hono', label: 'Hono', lacks: ['br'] },
  { name: 'express', label: 'Express' },
  { name: 'adonis', label: 'AdonisJS' },
  { name: 'nest', label: 'NestJS on Fastify' },
]

/** The servers with these names, all without any. */
export function chooseEntrants(names: readonly string[]): readonly Entrant[] {
  const known = entrants.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(`--only takes ${known.join(', ')}; got ${unknown.join(', ')}`)
  }
  return entrants.filter(({ name }) => names.length === 0 || names.includes(name))
}

/** The file that starts a server, below the folder of the servers. */
export function startFile(folder: string, { name }: Entrant, extension: 'js' | 'ts'): string {
  const single = `${folder}/${name}.${extension}`
  return existsSync(single) ? single : `${folder}/${name}/server.${extension}`
}
