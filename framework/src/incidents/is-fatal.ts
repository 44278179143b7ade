import type { Incident } from './incident.ts'

/** Origins of throwables that end a process. */
const fatalOrigins: ReadonlySet<unknown> = new Set(['exception', 'fatal'])

/** Whether a throwable ended its process. */
export function isFatal({ context }: Pick<Incident, 'context'>): boolean {
  return fatalOrigins.has(context['origin'])
}
