import { InvalidArgumentException } from '../../base/errors.ts'

/** How grave a line is, from the least; `silent` lets no line through. */
export const Levels = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
Object.freeze(Levels)
export type Level = (typeof Levels)[number]

/**
 * The text as a level, for values that come from configuration.
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
