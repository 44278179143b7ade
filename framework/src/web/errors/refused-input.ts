import { InvalidArgumentException } from '../../base/errors.ts'

/**
 * Invalid input of a client, such as a forged cursor. To a caller it is an `InvalidArgumentException`;
 * uncaught it becomes a 400 and is not reported, so that clients cannot fill the log.
 */
export class RefusedInput extends InvalidArgumentException {
  readonly status = 400
}
