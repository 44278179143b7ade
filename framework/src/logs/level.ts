import { InvalidArgumentException } from '../base/errors.ts'

/** Log levels, least severe first; `silent` suppresses all lines. */
export const Levels = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
Object.freeze(Levels)
export type Level = (typeof Levels)[number]

/**
 * Parses a level from configuration.
 * @throws InvalidArgumentException (E_LOG_LEVEL)
 */
export function parseLevel(text: string): Level {
  const level = Levels.find((known) => known === text)
  if (level !== undefined) return level
  throw new InvalidArgumentException(
    'E_LOG_LEVEL',
    `log level must be one of ${Levels.join(', ')}; got ${JSON.stringify(text)}`,
  )
}
