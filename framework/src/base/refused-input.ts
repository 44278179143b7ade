import { InvalidArgumentException } from './errors.ts'

/**
 * A value that only a client can have sent, such as a forged cursor or a text with NUL. To a caller it
 * is an `InvalidArgumentException`; a server responds with 400 and does not report it, so that clients
 * cannot fill the log.
 */
export class RefusedInput extends InvalidArgumentException {}
